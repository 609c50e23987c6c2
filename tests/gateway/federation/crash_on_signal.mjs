/** Loaded into a gateway by a test (`node --import`): a signal throws where nobody catches. */
process.on('SIGUSR2', () => setImmediate(() => { throw new Error('injected'); }));
