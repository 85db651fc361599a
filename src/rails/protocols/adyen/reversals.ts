// Reversals of authorisations that must not be kept. A reversal is recorded before Adyen is called, and the same write
// schedules a query of the payment. Each query repeats the call until Adyen has accepted or refused the reversal. So
// our response to a webhook never waits for Adyen.
import type { Money } from '../../../platform/base/money.ts'
import type { ChannelRecord, ChannelStore } from '../../contract/store.ts'
import { moneyBody } from '../../toolkit/records/money.ts'
import { listAll } from '../../toolkit/records/store.ts'
import { type AdyenApi, isRefusal } from './api.ts'
import { readMoney } from './payment-records.ts'

type ReversalsOptions = {
  readonly api: AdyenApi
  readonly store: ChannelStore
  readonly merchantAccount: string
}

/** `money` is undefined if Adyen's message has no amount that we can read. */
export type Unwanted = { readonly psp: string; readonly money: Money | undefined }

type Reversed = {
  /** True if the result of a reversal is not known yet. */
  readonly isOpen: boolean
  /** The authorisations whose reversal Adyen refused or could not make. The payer stays charged for them. */
  readonly refused: readonly Unwanted[]
}

type State = 'accepted' | 'open' | 'refused'

export type Reversals = {
  note(reference: string, unwanted: Unwanted): Promise<void>
  /** Returns our reference of the payment. Undefined if no reversal of this authorisation was recorded. */
  find(psp: string): Promise<string | undefined>
  /** Requests every open reversal of the payment, and returns the results of all its reversals. */
  settle(reference: string, signal: AbortSignal): Promise<Reversed>
  /** Records that, according to a webhook, an accepted reversal failed. Undefined if no reversal was recorded. */
  failed(reference: string, unwanted: Unwanted): Promise<Unwanted | undefined>
}

const REVERSAL = 'reversal'
/**
 * A failed reversal has a second record, which the response to our request cannot overwrite if it comes after the
 * webhook.
 */
const FAILED = 'reversal-failed'

/**
 * Returns Adyen's references of the authorisations whose reversal is open or accepted and has not failed. Reversals are
 * few, so all are read at once.
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
    // `settle` is called only for attempts of ours. Other systems may use the same merchant account, and the gateway
    // must not reverse their authorisations.
    async settle(reference, signal) {
      const records = await store.listOf(REVERSAL, reference)
      // All calls are made at the same time, so that a call without a response does not use up the time of the others.
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
