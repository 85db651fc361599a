// The sandbox's Pix bank, with the central bank's API.
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { formatAmount } from '../../src/platform/base/money.ts'
import { createHttpClient } from '../../src/platform/http/client/http-client.ts'
import { createBank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { payerUrlOf, registerBankPage } from '../bank/page-routes.ts'
import { type Message, startCallbacks } from '../callbacks.ts'
import type { Counterparty, SandboxPlace } from '../place.ts'
import { endToEndIdOf, statuses } from './cob.ts'
import { type Outgoing, registerOutgoing } from './outgoing.ts'
import { API_PATH, type PixApiOptions, registerPixApi, storedWebhook } from './routes.ts'
import { createTokens } from './tokens.ts'

const method = 'pix'
const json = { 'content-type': 'application/json' }
const TIMEOUT_MS = 10_000

export type SandboxPix = Counterparty & {
  readonly outgoing: Outgoing
  /** The payer's bank takes the money of a paid charge back. */
  takeBack(txid: string): void
}

/** A bank like Efí, which registers a webhook only if its server asks callers for a certificate. */
export const mountEfi = (place: SandboxPlace): SandboxPix => mountPix(place, refusesStrangers)

export function mountPix(place: SandboxPlace, mayRegister?: PixApiOptions['mayRegister']): SandboxPix {
  const { app, folder, url, clock, secret } = place
  const bank = createBank({ bookFile: join(folder, 'pix.sqlite'), clock, takes: 'deposits' })
  const client = { id: 'tollgate-sandbox', secret: derive(secret, 'pix client') }
  const tokens = createTokens(client)
  const webhook = storedWebhook(join(folder, 'pix.webhook'))
  registerPixApi(app, {
    bank,
    tokens,
    webhook,
    clock,
    url,
    payerUrlOf: (charge) => payerUrlOf({ url, method }, charge),
    mayRegister,
  })
  registerBankPage(app, { bank, method, url })
  const callbacks = startCallbacks({ outbox: bank.outbox, messageOf: (txid) => messageOf(bank.find(txid)) })
  bank.onChange(callbacks.poke)
  const send = createHttpClient()
  const outgoing = registerOutgoing(app, {
    tokens,
    clock,
    reported(message) {
      const to = URL.parse(`${webhook.get()}/pix`)
      if (to === null) return
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      void send({ method: 'POST', url: to, headers: json, body: JSON.stringify(message), signal })
    },
  })
  return {
    outgoing,
    takeBack(txid) {
      bank.dispute(txid, 'open')
      bank.outbox.add(txid)
      callbacks.poke()
    },
    banks: new Map([[method, bank]]),
    settings: () => [
      {
        name: method,
        method,
        url: `${url()}${API_PATH}`,
        clientId: client.id,
        clientSecret: client.secret,
        pixKey: 'a3b5c7d9-1f2e-4d3c-8b5a-697887a6b5c4',
        payeeName: 'Tollgate Sandbox',
        payeeCity: 'Sao Paulo',
        webhookSecret: derive(secret, 'pix webhook'),
      },
    ],
    async close() {
      outgoing.stop()
      await callbacks.stop()
      bank.close()
    },
  }
}

/** Resolves to true if an HTTPS server gives no HTTP response to a call without a certificate. */
async function refusesStrangers(webhookUrl: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const url = new URL(webhookUrl)
  const reply = await createHttpClient()({ method: 'POST', url, headers: json, body: '{}', signal })
  return url.protocol === 'https:' && reply.kind !== 'answer'
}

function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('hex')
}

/**
 * Lists every Pix of the charge. If there is none, because the payer declined, the message contains only the charge's
 * number and status.
 */
function messageOf(charge: BankCharge | undefined): Message | undefined {
  if (charge === undefined || charge.callbackUrl === '') return undefined
  const { reference: txid, deposits, status } = charge
  const pix = deposits.map((deposit) => {
    const { amount, currency, at } = deposit
    const valor = formatAmount(BigInt(amount), currency)
    return { endToEndId: endToEndIdOf(deposit), txid, valor, horario: at.toISOString() }
  })
  const list = pix.length > 0 ? pix : [{ txid, status: statuses[status] }]
  return { url: `${charge.callbackUrl}/pix`, headers: json, body: JSON.stringify({ pix: list }) }
}
