// The sandbox's STP: signed orders, deposits to a company's CLABEs, and messages about orders and deposits. STP is not
// a default counterparty, so callers pass it as an extra one.
import { createHmac, randomBytes } from 'node:crypto'
import { formatAmount, parseDecimal } from '../../src/platform/base/money.ts'
import type { Fields } from '../../src/platform/base/object.ts'
import { createHttpClient } from '../../src/platform/http/client/http-client.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { privatePem, readOrCreateRsaKeys } from '../rsa-keys.ts'
import { createStpBook, type StpAnswer, type StpBook, type StpOrder } from './book.ts'
import { registerStpPage } from './page.ts'
import { registerStpApi } from './routes.ts'

export type SandboxStp = Counterparty & {
  readonly book: StpBook
  /** Sets the address for messages about deposits and states, which a company registers at STP. */
  notifyAt(url: string): void
  /** Transfers this many centavos to the CLABE, as a payer. Returns the company's answer. */
  deposit(clabe: string, centavos: bigint): Promise<StpAnswer>
  /** Sends the message about a received order again. */
  announce(order: StpOrder): Promise<StpAnswer>
  /** The beneficiary's bank returns a settled order. */
  giveBack(claveRastreo: string): void
}

const DECIDED_MS = 100
const TIMEOUT_MS = 10_000
/** The amount of an order that fails, in centavos. */
const FAILS = 666n
const empresa = 'SANDBOX'
const PAYER = { nombreOrdenante: 'Sandbox Payer', cuentaOrdenante: '032180000118359719' }
const PAYER_BANK = 40032

export function mountStp({ app, folder, url, secret, clock }: SandboxPlace): SandboxStp {
  const keys = readOrCreateRsaKeys(folder)
  const callbackSecret = createHmac('sha256', secret).update('stp callback').digest('hex')
  const book = createStpBook(clock)
  const timers = new Set<NodeJS.Timeout>()
  const client = createHttpClient()
  let callbackUrl = ''

  async function post(message: Fields, monto?: string): Promise<StpAnswer> {
    const to = URL.parse(`${callbackUrl}/${callbackSecret}`)
    if (to === null) return { status: 0, text: '' }
    const rest = JSON.stringify(message)
    const body = monto === undefined ? rest : `{"monto":${monto},${rest.slice(1)}`
    const headers = { 'content-type': 'application/json' }
    const reply = await client({
      method: 'POST',
      url: to,
      headers,
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return reply.kind === 'answer' ? reply : { status: 0, text: '' }
  }

  function reach(order: StpOrder, estado: string, causaDevolucion = 0): void {
    Object.assign(order, { estado, causaDevolucion })
    const { idEF: id, folioOrigen } = order
    const tsLiquidacion = clock.now().getTime()
    void post({ id, empresa, folioOrigen, estado, causaDevolucion, tsLiquidacion })
  }

  function registered(order: StpOrder): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      reach(order, parseDecimal(order.monto, 'MXN') === FAILS ? 'CN' : 'LQ')
    }, DECIDED_MS)
    timers.add(timer)
  }

  async function announce(order: StpOrder): Promise<StpAnswer> {
    const { idEF: id, fechaOperacion, claveRastreo, monto, fields } = order
    const { institucionContraparte: institucionOrdenante, institucionOperante: _operante, ...rest } = fields
    const answer = await post(
      { id, fechaOperacion, institucionOrdenante, claveRastreo, ...rest, empresa },
      monto,
    )
    if (answer.status === 400 && answer.text.includes('devolver')) order.estado = 'D'
    return answer
  }

  async function deposit(clabe: string, centavos: bigint): Promise<StpAnswer> {
    const order: StpOrder = {
      idEF: book.nextId(),
      claveRastreo: `SBX${randomBytes(8).toString('hex').toUpperCase()}`,
      folioOrigen: '',
      fechaOperacion: book.today(),
      monto: formatAmount(centavos, 'MXN'),
      fields: {
        ...PAYER,
        institucionContraparte: PAYER_BANK,
        institucionOperante: 90646,
        rfcCurpOrdenante: 'ND',
        cuentaBeneficiario: clabe,
        conceptoPago: 'Pago',
        referenciaNumerica: 1,
        tsLiquidacion: clock.now().getTime(),
      },
      estado: 'LQ',
      causaDevolucion: 0,
    }
    book.received.push(order)
    return announce(order)
  }

  registerStpPage(app, deposit)
  registerStpApi(app, {
    book,
    empresa,
    get key() {
      return keys().gateway.publicKey
    },
    registered,
  })
  return {
    banks: new Map(),
    book,
    notifyAt(to) {
      callbackUrl = to
    },
    deposit,
    announce,
    giveBack(claveRastreo) {
      for (const order of book.sent.values()) if (order.claveRastreo === claveRastreo) reach(order, 'D', 1)
    },
    settings: () => [
      {
        name: 'stp',
        protocol: 'stp',
        methods: ['spei', 'payout_spei'],
        url: `${url()}/stp`,
        empresa,
        privateKey: privatePem(keys().gateway.privateKey),
        clabePrefix: '6461801234',
        ordenanteClabe: '646180123400000007',
        ordenanteName: 'Tollgate Sandbox',
        callbackSecret,
      },
    ],
    async close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
