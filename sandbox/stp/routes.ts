// STP's API for companies: register an order, query an order, and list the orders received on a day. All requests are
// signed.
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseDecimal } from '../../src/platform/base/money.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { orderJson, type StpBook, type StpOrder } from './book.ts'
import { isSigned } from './signature.ts'

export type StpApiOptions = {
  readonly book: StpBook
  readonly empresa: string
  readonly key: KeyObject
  /** Called with every new order. */
  readonly registered: (order: StpOrder) => void
}

export const API_PATH = '/stp/speiws/rest/ordenPago'
const STP = 90646
/** The amount of an order that STP refuses, in centavos. */
const REFUSED = 2n

type Problem = { readonly id: number; readonly descripcionError: string }

export function registerStpApi(app: FastifyInstance, options: StpApiOptions): void {
  const { book, empresa, key } = options
  app.register(
    async (scope) => {
      // The signature covers the amount as it was written, so the body is read as text.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
        done(null, String(body)),
      )
      const guarded =
        (answer: (body: Fields) => string | Problem) => (request: FastifyRequest, reply: FastifyReply) => {
          const body = bodyOf(request)
          const isRight = body.empresa === empresa && isSigned(body, key)
          const found = isRight ? answer(body) : { id: 0, descripcionError: 'Error validando la firma' }
          reply.type('application/json')
          return reply.send(`{"resultado":${typeof found === 'string' ? found : JSON.stringify(found)}}`)
        }
      scope.put(
        '/registra',
        guarded((body) => register(body, options)),
      )
      scope.post(
        '/consOrdEnvRastreo',
        guarded((body) => {
          if (isTooNew(body, book)) return tooNew
          const { fechaOperacion: day = book.today(), claveRastreo } = body
          if (Number(day) > book.today() || body.institucionOperante !== STP) return noOrder
          const order = book.sent.get(`${day} ${claveRastreo}`)
          return order === undefined ? noOrder : `{"id":0,"ordenPago":${orderJson(order)}}`
        }),
      )
      scope.post(
        '/consOrdenesFech',
        guarded((body) => {
          if (isTooNew(body, book)) return tooNew
          const { fechaOperacion: day = book.today() } = body
          const list = book.received.filter(({ fechaOperacion }) => fechaOperacion === Number(day))
          return list.length === 0 ? noOrder : `{"id":0,"lst":[${list.map(orderJson).join(',')}]}`
        }),
      )
    },
    { prefix: API_PATH },
  )
}

function isTooNew({ fechaOperacion: day }: Fields, book: StpBook): boolean {
  return book.refusesToday && day !== undefined && Number(day) >= book.today()
}

const tooNew: Problem = { id: 0, descripcionError: 'La fecha de operacion no es valida' }
const noOrder: Problem = { id: -100, descripcionError: 'No se encontraron ordenes' }

/** Returns the fields of the body. The amount keeps its text, because the signature covers the text. */
function bodyOf({ body }: FastifyRequest): Fields {
  const text = String(body).replace(/"monto":(\d+\.\d\d)/, '"monto":"$1"')
  const parsed: unknown = JSON.parse(text)
  return isObject(parsed) ? parsed : {}
}

const patterns: Readonly<Record<string, RegExp>> = {
  claveRastreo: /^[A-Za-z0-9]{1,30}$/,
  monto: /^\d+\.\d\d$/,
  institucionContraparte: /^\d{5}$/,
  institucionOperante: /^90646$/,
  cuentaBeneficiario: /^\d{18}$/,
  tipoCuentaBeneficiario: /^40$/,
  nombreBeneficiario: /^[ -~]{1,39}$/,
  rfcCurpBeneficiario: /^.{2,18}$/,
  conceptoPago: /^[ -~]{1,39}$/,
  cuentaOrdenante: /^\d{18}$/,
  tipoCuentaOrdenante: /^40$/,
  referenciaNumerica: /^\d{1,7}$/,
  tipoPago: /^1$/,
  topologia: /^T$/,
  medioEntrega: /^3$/,
  prioridad: /^[01]$/,
}

function register(body: Fields, { book, registered }: StpApiOptions): string | Problem {
  const wrong = Object.keys(patterns).find((name) => !patterns[name]?.test(String(body[name] ?? '')))
  if (wrong !== undefined) return { id: 0, descripcionError: `El campo ${wrong} es obligatorio` }
  const { claveRastreo, cuentaBeneficiario, institucionContraparte } = body
  if (String(cuentaBeneficiario).slice(0, 3) !== String(institucionContraparte).slice(2))
    return { id: -22, descripcionError: 'La cuenta clabe no coincide para la institucion operante' }
  const monto = String(body.monto)
  if (parseDecimal(monto, 'MXN') === REFUSED) return { id: -20, descripcionError: 'El monto no es valido' }
  const day = book.today()
  if (book.sent.has(`${day} ${claveRastreo}`))
    return { id: -1, descripcionError: `La clave de rastreo ${claveRastreo} ya fue utilizada` }
  const { firma: _firma, monto: _monto, ...fields } = body
  const order: StpOrder = {
    idEF: book.nextId(),
    claveRastreo: String(claveRastreo),
    folioOrigen: String(body.folioOrigen ?? ''),
    fechaOperacion: day,
    monto,
    fields,
    estado: 'E',
    causaDevolucion: 0,
  }
  book.sent.set(`${day} ${claveRastreo}`, order)
  registered(order)
  return `{"id":${order.idEF}}`
}
