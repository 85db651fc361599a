// Every route that needs neither a signature nor a session, with the requests that a stranger sends to it. The routes
// are grouped in rows. A test compares this table with the routes of running gateways (test/public-routes.test.ts): a
// new public route needs a line here.
//
// The key of a line is the route. `{pay}` stands for the token of an order that waits for its payer, `{paid}` for that
// of a paid order, and `{payout}`, `{receipt}` and `{link}` for the tokens of other pages. Every request has the
// expected status of its answer, which the run checks before the attacks: a request that is refused early measures only
// the refusal.
import type { Attack, Victim } from './attack.ts'
import { askStatus, httpGet, httpPost, repeatRequests } from './raw-client.ts'

/**
 * A request and the expected status of its answer. A request without a body is a GET, and `head` has further header
 * lines. A path alone is a GET with the answer 200.
 */
type Sent =
  | string
  | { readonly path: string; readonly status: number; readonly head?: string }
  | { readonly path: string; readonly status: number; readonly type: string; readonly body: string }
export type PublicRow = Readonly<Record<string, readonly Sent[]>>

const NONE = 'x'.repeat(60)
const get = (path: string, status: number, head?: string): Sent => ({
  path,
  status,
  ...(head !== undefined && { head }),
})
const form = (path: string, body: string, status = 200): Sent => ({
  path,
  status,
  type: 'application/x-www-form-urlencoded',
  body,
})
const json = (path: string, body: object, status = 200): Sent => ({
  path,
  status,
  type: 'application/json',
  body: JSON.stringify(body),
})
const files = (...names: readonly string[]): PublicRow =>
  Object.fromEntries(names.map((name) => [`GET ${name}`, [name]]))

/** The beginning of an account that the form of a payout page refuses. */
const ACCOUNT = 'kind=bank_account&account=DE8937040044053201300'
const manyHeaders = Array.from({ length: 700 }, (_, at) => `x-${at}: some text`).join('\r\n')

/** Any gateway has these routes. The route `*` stands for all requests without a route. */
export const everywhere: Readonly<Record<string, PublicRow>> = {
  'unknown paths': { '*': [get('/nowhere', 404), get('/%00', 404), json('/nowhere', {}, 404)] },
  'large request heads': {
    '*': [get('/healthz', 200, manyHeaders), get(`/${'x'.repeat(12_000)}`, 404)],
  },
  'request heads beyond the limit': { '*': [get('/healthz', 431, `x: ${'x'.repeat(20_000)}`)] },
  'home page': files('/'),
  'health and the platform key': files('/healthz', '/readyz', '/keys/platform.pem'),
  'pages of the documentation': {
    'GET /docs': ['/docs'],
    'GET /docs/*': ['/docs/errors', '/docs/reference/payment', '/docs/payments'],
  },
  'search of the documentation': {
    'GET /docs/search': ['/docs/search?q=notificatoin%20refund%20signature%20merchant%20order'],
    'GET /docs/passages.json': ['/docs/passages.json?q=notificatoin'],
  },
  'pages that the documentation does not have': {
    'GET /docs/*': [
      get('/docs/refund-notification-signature-merchant', 404),
      get(`/docs/${'a/'.repeat(4_000)}`, 404),
    ],
    'GET /docs/pictures/*': [get('/docs/pictures/none.png', 404), '/docs/pictures/pix-phone.png'],
  },
  'packages to install': {
    ...files('/downloads'),
    'GET /downloads/:file': ['/downloads/tollgate-sdk-0.1.0.tgz', get('/downloads/none.tgz', 404)],
  },
  'OpenAPI document': files('/openapi.json', '/openapi.yaml'),
  'reference lists': {
    ...files('/reference', '/reference/countries', '/reference/currencies', '/reference/errors'),
    ...files('/reference/states', '/reference/methods', '/reference/banks/per', '/reference/banks/spei'),
    ...files('/reference/banks/vietnam', '/reference/review-types', '/reference/dispute-reasons'),
    'GET /reference/*': [get('/reference/none', 404)],
  },
  'style sheets and scripts': {
    ...files('/assets/pay.css', '/assets/docs.css', '/assets/home.css', '/drop-in.js', '/assets/docs.js'),
    ...files('/assets/fields.js', '/assets/pay.js', '/assets/search.js', '/assets/try-it.js'),
    'GET /assets/accent/:file': ['/assets/accent/1a2b3c.css', get('/assets/accent/none', 404)],
  },
  'pay pages': {
    'GET /pay/:token': ['/pay/{pay}', '/pay/{paid}', get(`/pay/${NONE}`, 404)],
    'GET /pay/:token/status': ['/pay/{pay}/status'],
    'GET /pay/:token/events': ['/pay/{pay}/events'],
    'GET /pay/:token/logo': [get('/pay/{pay}/logo', 404)],
    'GET /pay/:token/pay': [get('/pay/{pay}/pay', 303)],
    'GET /pay/:token/switch': [get('/pay/{pay}/switch', 303)],
    'GET /pay/:token/cancel': [get('/pay/{pay}/cancel', 303)],
    'GET /pay/:token/complete': [get('/pay/{pay}/complete', 303)],
    'ALL /pay/*': [get('/pay/a/b/c', 404)],
  },
  'forms of pay pages': {
    'POST /pay/:token/pay': [
      form('/pay/{pay}/pay', 'method=card&attempt=0', 422),
      form(`/pay/${NONE}/pay`, 'method=card', 404),
    ],
    'POST /pay/:token/switch': [form('/pay/{pay}/switch', '', 303)],
    // An order can be cancelled only once, so the repeated request is about an order that has ended.
    'POST /pay/:token/cancel': [form('/pay/{paid}/cancel', '', 303)],
    'POST /pay/:token/complete': [form('/pay/{pay}/complete', 'a=b', 303)],
  },
  'payout pages': {
    'GET /payout/:token': ['/payout/{payout}', get(`/payout/${NONE}`, 404)],
    'GET /payout/:token/logo': [get('/payout/{payout}/logo', 404)],
    'POST /payout/:token': [form('/payout/{payout}', `${ACCOUNT}1`, 422)],
    'POST /payout/:token/check': [form('/payout/{payout}/check', ACCOUNT)],
    'ALL /payout/*': [get('/payout/a/b/c', 404)],
  },
  'payment links': {
    'GET /link/:token': ['/link/{link}', get(`/link/${NONE}`, 404)],
    'GET /link/:token/logo': [get('/link/{link}/logo', 404)],
    'POST /link/:token': [form('/link/{link}', 'amount=1.00', 303)],
    'ALL /link/*': [get('/link/a/b/c', 404)],
  },
  receipts: {
    'GET /receipt/:token': ['/receipt/{receipt}', get(`/receipt/${NONE}`, 404)],
    'GET /receipt/:token/logo': [get('/receipt/{receipt}/logo', 404)],
    'ALL /receipt/*': [get('/receipt/a/b/c', 404)],
  },
  callbacks: {
    'POST /callbacks/:channel': [
      json('/callbacks/card', { merchantReference: 'none', padding: 'x'.repeat(60_000) }, 401),
      json('/callbacks/none', {}, 404),
    ],
    'POST /callbacks/:channel/*': [json('/callbacks/card/more', { merchantReference: 'none' }, 401)],
  },
  'sign-in': {
    'GET /backoffice/api/session': ['/backoffice/api/session'],
    'POST /backoffice/api/session': [
      json('/backoffice/api/session', { email: 'somebody@shop.example', password: 'a wrong password' }, 422),
    ],
  },
  registration: {
    'POST /backoffice/api/registration': [
      json('/backoffice/api/registration', {
        company: 'Shop',
        contact: 'Somebody',
        email: 'somebody@shop.example',
        website: 'shop.example',
        country: 'PE',
      }),
    ],
  },
  'password reset': {
    'POST /backoffice/api/account/forgotten': [
      json('/backoffice/api/account/forgotten', { email: 'somebody@shop.example' }),
    ],
    'POST /backoffice/api/account/link': [json('/backoffice/api/account/link', { token: NONE }, 404)],
    'POST /backoffice/api/account/link/use': [
      json('/backoffice/api/account/link/use', { token: NONE, password: 'a long new password' }, 404),
    ],
  },
  'files of the back office': {
    'GET /backoffice': ['/backoffice'],
    'GET /backoffice/*': ['/backoffice/orders'],
    'GET /backoffice/assets/:name': [get('/backoffice/assets/none.js', 404)],
    'ALL /backoffice/api/*': [get('/backoffice/api/none', 404)],
  },
}

/** Only a gateway in sandbox has these routes. */
export const inSandbox: Readonly<Record<string, PublicRow>> = {
  metrics: files('/metrics'),
  'pages of the sandbox': {
    ...files('/sandbox/mail'),
    'GET /sandbox/first-payment': [get('/sandbox/first-payment', 303)],
    // No demo shop runs beside the gateway.
    'GET /shop': [get('/shop', 503)],
    'POST /sandbox/first-payment': [form('/sandbox/first-payment', 'by=card')],
  },
  'pages of endpoints': { 'GET /docs/*': ['/docs/reference/payment', '/docs/reference/payment?example=pix'] },
  'forms of the documentation': {
    ...files('/docs/sdk/md5.ts', '/docs/sdk/canonical.ts', '/docs/sdk/bytes.ts', '/docs/sdk/rsa.ts'),
    'GET /docs/try/*': [get('/docs/try/payment', 303)],
    'POST /docs/try/*': [form('/docs/try/balance/query', 'by=demo')],
  },
}

const rows: Readonly<Record<string, PublicRow>> = { ...everywhere, ...inSandbox }
const shapes = { 'one by one': 1, '500 at once': 500 } as const

/** Two attacks for each row: one client, and as many connections as an address may have in live. */
export const publicAttacks: Readonly<Record<string, Attack>> = Object.fromEntries(
  Object.entries(rows).flatMap(([name, row]) =>
    Object.entries(shapes).map(([shape, clients]) => {
      const attack: Attack = async (victim) => repeatRequests(victim.port, clients, requestsOf(row, victim))
      return [`${name}, ${shape}`, attack]
    }),
  ),
)

/** Returns the name of the attack's row, or undefined for an attack of another table. */
export function rowOf(attack: string): string | undefined {
  return Object.keys(rows).find((name) => attack.startsWith(`${name}, `))
}

export function isInSandbox(attack: string): boolean {
  return Object.keys(inSandbox).some((name) => attack.startsWith(`${name}, `))
}

function requestsOf(row: PublicRow, victim: Victim): readonly Buffer[] {
  return Object.values(row).flatMap((sent) => sent.map((one) => requestOf(one, victim)))
}

/** Sends each request of a row once. Returns one sentence for each answer with an unexpected status. */
export async function wrongAnswers(name: string, victim: Victim): Promise<string[]> {
  const wrong: string[] = []
  for (const [route, sent] of Object.entries(rows[name] ?? {}))
    for (const one of sent) {
      const wanted = typeof one === 'string' ? 200 : one.status
      const status = await askStatus(victim.port, requestOf(one, victim))
      if (status !== wanted) wrong.push(`${name}: ${route} answered ${status} instead of ${wanted}`)
    }
  return wrong
}

function requestOf(sent: Sent, { tokens }: Victim): Buffer {
  const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => tokens[name] ?? '')
  if (typeof sent === 'string') return httpGet(fill(sent))
  if ('body' in sent) return httpPost(fill(sent.path), sent.type, Buffer.from(sent.body))
  return httpGet(fill(sent.path), sent.head)
}
