// Parses the transfers to an address that the watcher reports, in the order of the chain.
import { type Fields, isObject } from '../../base/object.ts'
import type { BankCharge } from '../bank/charge.ts'
import { readTime } from '../read-time.ts'

export type Transfer = {
  readonly txHash: string
  /** The index of its event: one transaction may contain several transfers. */
  readonly logIndex: number
  readonly units: bigint
  readonly confirmations: number
  readonly at: Date
  readonly from?: string
  /** In the network's own coin. */
  readonly gasFee?: string
}

const MAX_TRANSFERS = 200

/** One malformed transfer invalidates the list, because skipping it would lose money. */
export function readTransfers({ extra }: BankCharge): Transfer[] | undefined {
  const { transfers: list = [] } = extra
  if (!Array.isArray(list) || list.length > MAX_TRANSFERS) return undefined
  const transfers = list.flatMap((entry) => (isObject(entry) ? (readTransfer(entry) ?? []) : []))
  return transfers.length === list.length ? transfers : undefined
}

function readTransfer({
  txHash,
  logIndex,
  units,
  confirmations,
  at,
  from,
  gasFee,
}: Fields): Transfer | undefined {
  if (typeof txHash !== 'string' || !/^0x[0-9a-f]{64}$/.test(txHash) || !isCount(logIndex)) return undefined
  if (typeof units !== 'string' || !/^[1-9]\d{0,30}$/.test(units) || !isCount(confirmations)) return undefined
  const time = readTime(at)
  if (time === undefined) return undefined
  return {
    txHash,
    logIndex,
    units: BigInt(units),
    confirmations,
    at: time,
    ...(typeof from === 'string' && /^0x[0-9a-fA-F]{40}$/.test(from) && { from }),
    ...(typeof gasFee === 'string' && /^\d{1,9}(\.\d{1,18})?$/.test(gasFee) && { gasFee }),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
