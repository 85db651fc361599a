import type { Method } from '../../channels/method.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { Choice } from '../endpoints.ts'
import type { Table } from '../fields/field.ts'
import { type Fields, fieldsOf, type ReadValues } from '../fields/read-fields.ts'

/** A request that passed every check of the frame. */
export class CheckedRequest {
  readonly merchant: Merchant
  /** Of pay-in endpoints; undefined where the payer chooses. */
  readonly method: Method | undefined
  /** The table that the values were read by; it knows what may be stored. */
  readonly table: Table
  readonly values: ReadValues
  /** What came as `file` in a multipart request; none otherwise. */
  readonly files: readonly Buffer[]
  /** A captured copy of its signature fits no other request. */
  readonly isReplayProof: boolean

  constructor(
    merchant: Merchant,
    { method, table }: Choice,
    values: ReadValues,
    files: readonly Buffer[],
    isReplayProof: boolean,
  ) {
    this.merchant = merchant
    this.method = method
    this.table = table
    this.values = values
    this.files = files
    this.isReplayProof = isReplayProof
  }

  /** Put together when asked for: a payment has dozens, and takes them from their places instead. */
  get fields(): Fields {
    return fieldsOf(this.table, this.values)
  }
}
