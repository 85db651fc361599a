// Our cancellations. Adyen only accepts one at first; a webhook says whether it took an authorisation back. Until that comes,
// nobody knows whether an authorisation brings money, so one that is reported meanwhile is held back.
import type { Money } from '../../base/money.ts'
import type { ChannelRecord, ChannelStore } from '../store.ts'
import { moneyBody, readMoney } from './payment-records.ts'

export type Authorised = { readonly psp: string; readonly money: Money }

export type Cancel = {
  /** It may have reached Adyen, whose webhook has not come yet. */
  readonly isOpen: boolean
  readonly isAnswered: boolean
  /** It took this authorisation back, and so it brings no money. */
  tookBack(psp: string): boolean
}

export type Cancels = {
  find(reference: string): Promise<Cancel>
  /** Before it is sent. True if none was sent before. */
  begin(reference: string): Promise<boolean>
  /** It certainly did nothing. */
  undo(reference: string): Promise<void>
  /** `takenBack`: the authorisation, '' if Adyen does not say which; undefined if there was none. */
  answer(reference: string, takenBack: string | undefined): Promise<void>
  /** Also has the gateway ask about its payment, which sends an open cancellation again. */
  hold(reference: string, authorised: Authorised): Promise<void>
  held(reference: string): Promise<readonly Authorised[]>
  /** It is decided. */
  letGo(psp: string): Promise<void>
}

const CANCEL = 'cancel'
const HELD = 'authorised-while-cancelling'

export function openCancels(store: ChannelStore): Cancels {
  const find = (reference: string) => store.find({ kind: CANCEL, key: reference })
  const recordOf = (reference: string, body: ChannelRecord['body']) => {
    return { kind: CANCEL, key: reference, reference, body }
  }
  return {
    find: async (reference) => toCancel(await find(reference)),
    async begin(reference) {
      const [isFirst] = await store.write([{ add: recordOf(reference, { state: 'sent' }) }])
      return isFirst === true
    },
    async undo(reference) {
      await store.write([{ remove: { kind: CANCEL, key: reference } }])
    },
    async answer(reference, takenBack) {
      const known = (await find(reference))?.body.takenBack
      await store.write([{ put: recordOf(reference, { takenBack: takenBack ?? known }) }])
    },
    async hold(reference, { psp, money }) {
      const held = { kind: HELD, key: psp, reference, body: moneyBody(money) }
      await store.write([{ add: held }], [reference])
    },
    async held(reference) {
      const records = await store.listOf(HELD, reference)
      return records.map(({ key: psp, body }) => ({ psp, money: readMoney(body) }))
    },
    async letGo(psp) {
      await store.write([{ remove: { kind: HELD, key: psp } }])
    },
  }
}

function toCancel(record: ChannelRecord | undefined): Cancel {
  const isOpen = record?.body.state === 'sent'
  const takenBack = record?.body.takenBack
  return {
    isOpen,
    isAnswered: record !== undefined && !isOpen,
    tookBack: (psp) => takenBack === '' || takenBack === psp,
  }
}
