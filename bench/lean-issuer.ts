// A card issuer that costs next to nothing, in a separate process. It implements our card protocol and approves every card. It
// keeps one charge per reference in memory, so that a repeated request gets the same response.
// It does not check signatures, because the benchmark measures the gateway, not the issuer.
import { type Answer, startLeanServer } from './lean-server.ts'

type Body = {
  readonly merchantReference: string
  readonly amount?: string
  readonly currency?: string
}

const port = Number(process.env.PORT)
const secret = process.env.TOLLGATE_SANDBOX_SECRET ?? ''

/** The settings that a gateway with TOLLGATE_SANDBOX_URL requests when it starts. */
const settings = JSON.stringify({
  channels: [{ name: 'card', method: 'card', url: `http://127.0.0.1:${port}`, secret }],
})

/** The response for each reference. */
const charges = new Map<string, string>()

startLeanServer(answer)

function answer(path: string, text: string): Answer {
  switch (path) {
    case '/v1/settings':
      return json(200, settings)
    case '/v1/chargebacks':
      return json(200, '{"list":[]}')
    case '/v1/authorise':
      return charge(JSON.parse(text), 'captured')
    case '/v1/void':
      return charge(JSON.parse(text), 'voided')
    case '/v1/lookup':
      return lookup(JSON.parse(text))
    default:
      return json(404, '{"error":"no_such_operation"}')
  }
}

function json(status: Answer['status'], body: string): Answer {
  return { status, type: 'application/json', body }
}

function charge(body: Body, status: 'captured' | 'voided'): Answer {
  const { merchantReference, amount = '', currency = '' } = body
  const known = charges.get(merchantReference)
  if (known !== undefined) return json(200, known)
  const id = `ch_${charges.size}`
  const made = JSON.stringify({ id, merchantReference, amount, currency, status, reason: '' })
  charges.set(merchantReference, made)
  return json(200, made)
}

function lookup({ merchantReference }: Body): Answer {
  const known = charges.get(merchantReference)
  return known === undefined ? json(404, '{"error":"not_found"}') : json(200, known)
}
