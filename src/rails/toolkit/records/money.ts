// Money in the records of a channel.
import type { Money } from '../../../platform/base/money.ts'
import { isObject } from '../../../platform/base/object.ts'
import type { RecordBody } from '../../contract/store.ts'

/** JSON's numbers are floats, so the amount is a text of digits. */
export function moneyBody({ amount, currency }: Money) {
  return { amount: amount.toString(), currency }
}

/** Reads what `moneyBody` wrote; undefined if the record has no money. */
export function readMoney(body: RecordBody | undefined): Money | undefined {
  if (!isObject(body) || typeof body.amount !== 'string' || typeof body.currency !== 'string')
    return undefined
  return { amount: BigInt(body.amount), currency: body.currency }
}
