import type { Method } from '../../channels/method.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { Choice } from '../endpoints.ts'
import type { Table } from '../fields/field.ts'
import { type Fields, fieldsOf, type ReadValues } from '../fields/read-fields.ts'

/** A request that passed every check before its handler. */
export class CheckedRequest {
  readonly merchant: Merchant
  /** Set for pay-in endpoints; undefined where the payer chooses. */
  readonly method: Method | undefined
  /** The table of the values. It also says which of them may be stored. */
  readonly table: Table
  readonly values: ReadValues
  /** The `file` parts of a multipart request, else empty. */
  readonly files: readonly Buffer[]
  /** A captured copy of its signature is useless for any other request. */
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

  /** Built on demand: a payment has dozens of fields and reads them by position instead. */
  get fields(): Fields {
    return fieldsOf(this.table, this.values)
  }
}
