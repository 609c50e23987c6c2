// Draws the description of the REST face; the key typed under "Authorize" stays in this page.
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

// 128 random bits; crypto.randomUUID() is missing where the page is not served over HTTPS.
function freshKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Each request that changes something has an Idempotency-Key of its own, unless one was typed.
function withFreshKey(request) {
  const { method = 'GET', headers = {} } = request;
  const typed = Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'idempotency-key' && value);
  if (!SAFE.has(method.toUpperCase()) && !typed) {
    request.headers = { ...headers, 'Idempotency-Key': freshKey() };
  }
  return request;
}

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  requestInterceptor: withFreshKey,
});
