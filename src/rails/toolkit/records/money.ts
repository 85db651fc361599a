// Money in the records of a channel.
import type { Money } from '../../../platform/base/money.ts'
import { isObject } from '../../../platform/base/object.ts'
import type { RecordBody } from '../../contract/store.ts'

/** Returns the money as fields of a record. The amount is a text of digits, because JSON's numbers are floats. */
export function moneyBody({ amount, currency }: Money) {
  return { amount: amount.toString(), currency }
}

/** Reads what `moneyBody` wrote; undefined if the record has no money. */
export function readMoney(body: RecordBody | undefined): Money | undefined {
  if (!isObject(body) || typeof body.amount !== 'string' || typeof body.currency !== 'string')
    return undefined
  return { amount: BigInt(body.amount), currency: body.currency }
}
