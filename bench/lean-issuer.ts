// A card issuer in a separate process that uses almost no processor time. The issuer implements our card protocol and
// approves every card. A repeated request gets the same response, because the issuer keeps one charge per reference in
// memory. The issuer does not check signatures, because the benchmark measures the gateway.
import { response, startLeanServer } from './lean-server.ts'

const port = Number(process.env.PORT)
const secret = process.env.TOLLGATE_SANDBOX_SECRET ?? ''

/** The settings that a gateway with TOLLGATE_SANDBOX_URL requests when it starts. */
const settings = JSON.stringify({
  channels: [{ name: 'card', method: 'card', url: `http://127.0.0.1:${port}`, secret }],
})

/** The response for each reference. */
const charges = new Map<string, string>()

startLeanServer(answer)

function answer(path: string, body: string): string {
  switch (path) {
    case '/v1/settings':
      return json(200, settings)
    case '/v1/chargebacks':
      return json(200, '{"list":[]}')
    case '/v1/authorise':
      return charge(body, 'captured')
    case '/v1/void':
      return charge(body, 'voided')
    case '/v1/lookup':
      return charges.get(referenceOf(body)) ?? json(404, '{"error":"not_found"}')
    default:
      return json(404, '{"error":"no_such_operation"}')
  }
}

function json(status: 200 | 404, body: string): string {
  return response(status, 'application/json', body)
}

function charge(body: string, status: 'captured' | 'voided'): string {
  const reference = referenceOf(body)
  const known = charges.get(reference)
  if (known !== undefined) return known
  const fields = `"merchantReference":"${reference}","amount":${fieldOf(body, 'amount')},"currency":${fieldOf(body, 'currency')}`
  const made = json(200, `{"id":"ch_${charges.size}",${fields},"status":"${status}","reason":""}`)
  charges.set(reference, made)
  return made
}

/** The reference is a new string: a slice of the body, kept as a key, would keep the whole body in memory. */
function referenceOf(body: string): string {
  return JSON.parse(fieldOf(body, 'merchantReference'))
}

/**
 * Finds the JSON text of a field without parsing the other fields. Quotes inside of a text are escaped, so no text of a
 * customer looks like a field.
 */
function fieldOf(body: string, name: string): string {
  const start = body.indexOf(`"${name}":"`) + name.length + 3
  return start < name.length + 3 ? '""' : body.slice(start, body.indexOf('"', start + 1) + 1)
}
