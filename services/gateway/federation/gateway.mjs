/**
 * The public door of Hearthforge: one federated graph over the services, and a way through to the REST face.
 *
 * Read in this order: config, supergraph, door (HTTP), websocket, graphql (the runtime and what is plugged in),
 * then identity and tokens, limits and cost, proxy.
 *
 * Exit codes: 0 stopped by a signal, 2 bad configuration, 3 port taken.
 */
import { once } from 'node:events';
import { createAdmin } from './admin.mjs';
import { ConfigError, readConfig } from './config.mjs';
import { createDoor } from './door.mjs';
import { createGraph } from './graphql.mjs';
import { createIdentity } from './identity.mjs';
import { createLimits } from './limits.mjs';
import { createLog } from './log.mjs';
import { createMetrics } from './metrics.mjs';
import { createProxy } from './proxy.mjs';
import { composeSupergraph, CompositionError } from './supergraph.mjs';
import { createSigner } from './tokens.mjs';
import { createUpstream } from './upstream.mjs';
import { attachWebSockets } from './websocket.mjs';

const DRAIN_MS = 3000;

async function main() {
  const config = readConfig(process.env);
  const log = createLog(config);
  const metrics = createMetrics();
  const supergraph = composeSupergraph(config.schemaDir, config.serviceUrls);
  const sign = createSigner(config.internalSecret);
  const identify = createIdentity({ accountUrl: config.accountUrl, sign });
  const limits = createLimits(config.redisUrl, log);
  const subgraphs = createUpstream(metrics);
  const backend = createProxy({ ...config, log });
  const graph = createGraph({
    supergraph,
    introspection: config.introspection,
    sign,
    limits,
    metrics,
    fetch: subgraphs.fetch,
    log,
  });
  await graph.getSchema();

  const { trustedProxyHops } = config;
  const door = createDoor({ graph, identify, limits, backend, metrics, trustedProxyHops, log });
  const { server } = door;
  const sockets = attachWebSockets({ server, graph, identify, metrics, trustedProxyHops, log });
  let stopping = false;
  const admin = createAdmin({
    metrics,
    readiness: () => ({
      ready: server.listening && !stopping,
      checks: { supergraph: 'ok', redis: limits.state(), door: stopping ? 'closing' : 'ok' },
    }),
  });

  await listen(server, config.port, config.host, 'HEARTHFORGE_PORT');
  await listen(admin, config.adminPort, '127.0.0.1', 'HEARTHFORGE_GATEWAY_ADMIN_PORT');
  log.info('listening', { host: config.host, port: server.address().port, admin_port: admin.address().port });

  async function stop(signal) {
    if (stopping) return;
    stopping = true;
    log.info('stopping', { signal });
    const patience = setTimeout(() => {
      sockets.terminate();
      server.closeAllConnections();
    }, DRAIN_MS);
    sockets.close();
    await door.close();
    clearTimeout(patience);
    admin.close();
    admin.closeAllConnections();
    backend.close();
    subgraphs.close();
    limits.close();
    await graph.dispose();
    process.exit(0);
  }
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function listen(server, port, host, setting) {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE') {
      throw new PortTaken(
        `port ${port} on ${host} is taken: stop what uses it, or set ${setting} to another port`,
      );
    }
    throw new ConfigError(`cannot listen on ${host}:${port}: ${error.code ?? error.message}`);
  }
}

class PortTaken extends Error {}

/** One line for whoever started us, and a code by which a supervisor knows not to try again. */
function explain(error) {
  if (error instanceof PortTaken) return [3, error.message];
  if (error instanceof ConfigError || error instanceof CompositionError) return [2, error.message];
  return [1, error.stack];
}

try {
  await main();
} catch (error) {
  const [code, line] = explain(error);
  process.stderr.write(`gateway: ${line}\n`);
  process.exit(code);
}
