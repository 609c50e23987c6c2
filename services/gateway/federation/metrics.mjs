/** What Prometheus may read at the private port. Labels are bounded: never a path, a name or a key. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The label that a method is counted under: there are dozens that Node takes, and every label is kept for ever.
 * @param {string} method
 */
export const countedAs = (method) => (METHODS.has(method) ? method : 'other');

/**
 * @param {ReturnType<import('./admission.mjs').createAdmission>} admission  asked at each scrape
 * @returns a registry, the gateway's own metrics, and how to count a refusal
 */
export function createMetrics(admission) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const refused = new Counter({
    name: 'hearthforge_gateway_refused_total',
    help: 'GraphQL requests refused before they ran',
    labelNames: ['code'],
    registers,
  });
  const budgetsRefused = new Counter({
    name: 'hearthforge_gateway_budget_refused_total',
    help: 'GraphQL requests refused by a budget, by the limit: of the key, account, network, or of one operation',
    labelNames: ['limit'],
    registers,
  });
  new Gauge({
    name: 'hearthforge_gateway_admission_inside',
    help: 'Requests that were let in and are at work',
    registers,
    collect() {
      this.set(admission.inside);
    },
  });
  new Gauge({
    name: 'hearthforge_gateway_admission_waiting',
    help: 'Requests that wait to be let in',
    registers,
    collect() {
      this.set(admission.waiting);
    },
  });
  new Counter({
    name: 'hearthforge_gateway_admission_refused_total',
    help: 'Requests that were sent away because they had waited too long to be let in',
    registers,
    collect() {
      this.reset();
      this.inc(admission.refused);
    },
  });
  return {
    registry,
    /**
     * Count a request that is refused.
     * @param {{ code: string, limit?: string }} extensions  of the error that says so
     */
    refuse({ code, limit }) {
      refused.inc({ code });
      if (code === 'RATE_LIMITED') budgetsRefused.inc({ limit: limit ?? 'other' });
      if (code === 'QUERY_TOO_EXPENSIVE') budgetsRefused.inc({ limit: 'operation' });
    },
    /** route: graphql | proxy | closed */
    requests: new Counter({
      name: 'hearthforge_gateway_requests_total',
      help: 'HTTP requests answered at the public port',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    duration: new Histogram({
      name: 'hearthforge_gateway_request_seconds',
      help: 'Time to answer an HTTP request, streams included',
      labelNames: ['route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    operations: new Counter({
      name: 'hearthforge_gateway_operations_total',
      help: 'GraphQL operations that were let through',
      labelNames: ['type', 'transport'],
      registers,
    }),
    sockets: new Gauge({
      name: 'hearthforge_gateway_websockets',
      help: 'Open WebSockets',
      registers,
    }),
    streams: new Gauge({
      name: 'hearthforge_gateway_subgraph_streams',
      help: 'Live streams of events from a subgraph',
      labelNames: ['subgraph'],
      registers,
    }),
    upstream: new Histogram({
      name: 'hearthforge_gateway_subgraph_seconds',
      help: 'Time until a subgraph began to answer',
      labelNames: ['subgraph'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 10],
      registers,
    }),
  };
}
