// Authorisations that must not be kept. One is written down before Adyen is asked to take it back, together with the wish to
// be asked about its payment. So it is repeated until Adyen has accepted or refused it, whoever learned of it, and no webhook
// waits for that.
import type { Money } from '../../base/money.ts'
import { listAll } from '../list-all.ts'
import type { ChannelRecord, ChannelStore } from '../store.ts'
import { type AdyenApi, isRefusal } from './adyen-api.ts'
import { moneyBody, readMoney } from './payment-records.ts'

export type ReversalsOptions = {
  readonly api: AdyenApi
  readonly store: ChannelStore
  readonly merchantAccount: string
}

/** `money` is undefined if Adyen did not say how much of the amount it authorised. */
export type Unwanted = { readonly psp: string; readonly money: Money | undefined }

export type Reversed = {
  /** One or more are not certain: ask again. */
  readonly isOpen: boolean
  /** Adyen will not take these back, however often it is asked, and the payer is charged. */
  readonly refused: readonly Unwanted[]
}

type State = 'accepted' | 'open' | 'refused'

export type Reversals = {
  note(reference: string, unwanted: Unwanted): Promise<void>
  /** Our reference of the authorisation; undefined if it was not noted. */
  find(psp: string): Promise<string | undefined>
  /** Asks Adyen to take back what is left of the payment. */
  settle(reference: string, signal: AbortSignal): Promise<Reversed>
  /** A webhook says that Adyen could not do what it had accepted. Undefined: it was not noted. */
  failed(reference: string, unwanted: Unwanted): Promise<Unwanted | undefined>
}

const REVERSAL = 'reversal'
/** A record of its own: the webhook may come before the answer to our request is written. */
const FAILED = 'reversal-failed'

/**
 * Adyen's references of the authorisations that it took back, or is about to. If it refuses one or fails later, an operator
 * learns of that. All of them: they are few, and a statement has thousands of lines.
 */
export async function listReversed(store: ChannelStore): Promise<ReadonlySet<string>> {
  const failed = new Set((await listAll(store, FAILED)).map(({ key }) => key))
  const noted = await listAll(store, REVERSAL)
  return new Set(
    noted.filter(({ key, body }) => body.state !== 'refused' && !failed.has(key)).map(({ key }) => key),
  )
}

export function openReversals({ api, store, merchantAccount }: ReversalsOptions): Reversals {
  async function reverse(record: ChannelRecord, signal: AbortSignal): Promise<State> {
    const { key: psp, reference, body } = record
    const hasFailed = async () => (await store.find({ kind: FAILED, key: psp })) !== undefined
    if (body.state === 'refused' || (await hasFailed())) return 'refused'
    if (body.state !== 'open') return 'accepted'
    const call = { key: `${psp}-reverse`, signal }
    const reply = await api.post(`/payments/${psp}/reversals`, { merchantAccount, reference }, call)
    const isAccepted = reply.kind === 'answer' && reply.status === 201
    if (!isAccepted && !isRefusal(reply)) return 'open'
    const state = isAccepted ? 'accepted' : 'refused'
    await store.write([{ put: { ...record, body: { ...body, state } } }])
    return state
  }

  return {
    async note(reference, { psp, money }) {
      const body = { state: 'open', ...(money && moneyBody(money)) }
      await store.write([{ add: { kind: REVERSAL, key: psp, reference, body } }], [reference])
    },
    find: async (psp) => (await store.find({ kind: REVERSAL, key: psp }))?.reference,
    async settle(reference, signal) {
      const records = await store.listOf(REVERSAL, reference)
      // At once: one without an answer must not use up the time of the others.
      const states = await Promise.all(records.map((record) => reverse(record, signal)))
      const refused = records.filter((_, at) => states[at] === 'refused').map(toUnwanted)
      return { isOpen: states.includes('open'), refused }
    },
    async failed(reference, { psp, money }) {
      const noted = await store.find({ kind: REVERSAL, key: psp })
      if (noted?.reference !== reference) return undefined
      await store.write([{ add: { kind: FAILED, key: psp, reference, body: {} } }])
      return { psp, money: toUnwanted(noted).money ?? money }
    },
  }
}

function toUnwanted({ key: psp, body }: ChannelRecord): Unwanted {
  return { psp, money: body.amount === undefined ? undefined : readMoney(body) }
}
