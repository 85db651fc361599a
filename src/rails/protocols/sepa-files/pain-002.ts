// Reads the bank's status reports about our messages (pain.002). A report has three levels: message, group and
// transfer. A level without a status has the status of the level above it.
import type { Money } from '../../../platform/base/money.ts'
import { readAmount } from './camt.ts'
import { all, at, textAt, type XmlElement } from './xml.ts'

export const PAIN_002 = 'CstmrPmtStsRpt'

export type StatusReport = {
  readonly messageId: string
  /** The status of the transfers that the report does not list; '' if the report gives no such status. */
  readonly status: string
  readonly reason: string
  readonly transfers: readonly ReportedTransfer[]
}

export type ReportedTransfer = {
  readonly endToEndId: string
  readonly status: string
  readonly reason: string
  /** The transfer's amount, if the report repeats it. */
  readonly money: Money | undefined
}

export type Meaning = 'rejected' | 'pending' | 'debited' | 'credited' | 'by-transfer' | 'unknown'

/**
 * `debited` means that the transfer was settled on our account. For instant transfers, this status is final. All other
 * transfers stay open until a statement or notification shows their booking.
 */
const meanings: Readonly<Record<string, Meaning>> = {
  RJCT: 'rejected',
  CANC: 'rejected',
  RCVD: 'pending',
  ACTC: 'pending',
  ACCP: 'pending',
  ACSP: 'pending',
  ACWC: 'pending',
  ACFC: 'pending',
  PDNG: 'pending',
  RCVC: 'pending',
  RVCM: 'pending',
  RVNC: 'pending',
  PART: 'by-transfer',
  ACSC: 'debited',
  ACCC: 'credited',
}

export function meaningOf(status: string): Meaning {
  return Object.hasOwn(meanings, status) ? (meanings[status] ?? 'unknown') : 'unknown'
}

/** Our messages have one group of transfers, so all groups of the report are read as one. */
export function readStatusReport(message: XmlElement): StatusReport {
  const about = at(message, 'OrgnlGrpInfAndSts')
  const groups = all(message, 'OrgnlPmtInfAndSts')
  const group = groups.find((one) => textAt(one, 'PmtInfSts') !== '')
  const top = { status: textAt(about, 'GrpSts'), reason: reasonIn(about) }
  const status = textAt(group, 'PmtInfSts') || top.status
  return {
    messageId: textAt(about, 'OrgnlMsgId'),
    status: meaningOf(status) === 'by-transfer' ? '' : status,
    reason: reasonIn(group) || top.reason,
    transfers: groups.flatMap((one) => readTransfers(one, top)),
  }
}

function readTransfers(
  group: XmlElement,
  top: { readonly status: string; readonly reason: string },
): ReportedTransfer[] {
  const above = textAt(group, 'PmtInfSts') || top.status
  return all(group, 'TxInfAndSts').map((one) => {
    const amount = at(one, 'OrgnlTxRef', 'Amt', 'InstdAmt')
    return {
      endToEndId: textAt(one, 'OrgnlEndToEndId'),
      status: textAt(one, 'TxSts') || above,
      reason: reasonIn(one) || reasonIn(group) || top.reason,
      money: amount && readAmount(amount),
    }
  })
}

function reasonIn(element: XmlElement | undefined): string {
  const reason = at(element, 'StsRsnInf', 'Rsn')
  return textAt(reason, 'Cd') || textAt(reason, 'Prtry')
}
