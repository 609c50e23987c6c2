/**
 * node audit.mjs URL [HEADER=VALUE ...]
 *
 * Runs the GraphQL-over-HTTP server audits of graphql-http against a server. Prints one line per audit that is
 * not met and `N/61 ok`; exit 1 unless all are.
 */
import { serverAudits } from 'graphql-http';

const [url, ...pairs] = process.argv.slice(2);
if (!url) {
  process.stderr.write('usage: node audit.mjs URL [HEADER=VALUE ...]\n');
  process.exit(2);
}
const extra = pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);

const audits = serverAudits({
  url,
  fetchFn: (address, init) =>
    fetch(address, { ...init, headers: { ...init?.headers, ...Object.fromEntries(extra) } }),
});
let met = 0;
for (const audit of audits) {
  const { status, reason } = await audit.fn().catch((error) => ({ status: 'error', reason: error.message }));
  if (status === 'ok') met += 1;
  else process.stdout.write(`${status} ${audit.id} ${audit.name}: ${reason}\n`);
}
process.stdout.write(`${met}/${audits.length} ok\n`);
process.exitCode = met === audits.length ? 0 : 1;
