// A card issuer that costs next to nothing, in a separate process. It implements our card protocol over a minimum of HTTP/1.1
// and approves every card. It keeps one charge per reference in memory, so that a repeated request gets the same response.
// It does not check signatures, because the benchmark measures the gateway, not the issuer.
import { createServer, type Socket } from 'node:net'

type Body = {
  readonly merchantReference: string
  readonly amount?: string
  readonly currency?: string
}
type Answer = { readonly status: 200 | 404; readonly body: string }

const port = Number(process.env.PORT)
const secret = process.env.TOLLGATE_SANDBOX_SECRET ?? ''
const reasons = { 200: 'OK', 404: 'Not Found' }

/** The settings that a gateway with TOLLGATE_SANDBOX_URL requests when it starts. */
const settings = JSON.stringify({
  channels: [{ name: 'card', method: 'card', url: `http://127.0.0.1:${port}`, secret }],
})

/** The response for each reference. */
const charges = new Map<string, string>()

const server = createServer({ noDelay: true }, serve)
server.listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`))
process.once('SIGTERM', () => process.exit(0))

/** A gateway has one request under way per connection, so at most one arrives at a time. */
function serve(socket: Socket): void {
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    received += text
    const request = readRequest(received)
    if (request === undefined) return
    received = ''
    const { status, body } = answer(request.operation, request.body)
    const head = `HTTP/1.1 ${status} ${reasons[status]}\r\ncontent-type: application/json\r\ncontent-length: `
    socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`)
  })
  socket.on('error', () => socket.destroy())
}

/** Undefined while bytes are missing. */
function readRequest(text: string): { operation: string; body: string } | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd)
  const body = text.slice(headEnd + 4)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  if (Buffer.byteLength(body) < length) return undefined
  return { operation: /^POST \/v1\/([\w-]+) /.exec(head)?.[1] ?? '', body }
}

function answer(operation: string, text: string): Answer {
  switch (operation) {
    case 'settings':
      return { status: 200, body: settings }
    case 'chargebacks':
      return { status: 200, body: '{"list":[]}' }
    case 'authorise':
      return charge(JSON.parse(text), 'captured')
    case 'void':
      return charge(JSON.parse(text), 'voided')
    case 'lookup':
      return lookup(JSON.parse(text))
    default:
      return { status: 404, body: '{"error":"no_such_operation"}' }
  }
}

function charge(body: Body, status: 'captured' | 'voided'): Answer {
  const { merchantReference, amount = '', currency = '' } = body
  const known = charges.get(merchantReference)
  if (known !== undefined) return { status: 200, body: known }
  const id = `ch_${charges.size}`
  const made = JSON.stringify({ id, merchantReference, amount, currency, status, reason: '' })
  charges.set(merchantReference, made)
  return { status: 200, body: made }
}

function lookup({ merchantReference }: Body): Answer {
  const known = charges.get(merchantReference)
  return known === undefined ? { status: 404, body: '{"error":"not_found"}' } : { status: 200, body: known }
}
