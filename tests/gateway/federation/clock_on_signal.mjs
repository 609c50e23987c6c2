/** Loaded into a gateway by a test (`node --import`): its clock is wrong by CLOCK_OFF_MS until a signal sets it right. */
const now = Date.now.bind(Date);
Date.now = () => now() + Number(process.env.CLOCK_OFF_MS);
process.on('SIGUSR2', () => { Date.now = now; process.stdout.write('clock set\n'); });
