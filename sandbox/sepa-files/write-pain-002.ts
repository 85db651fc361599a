// Answers to a customer's message (pain.002).
import type { Order } from './read-order.ts'
import { documentOf, tag, text, type Xml } from './xml.ts'

export type Answer = {
  readonly id: string
  readonly at: Date
  readonly order: Pick<Order, 'messageId' | 'groupId'>
  /** The status of the group; '' leaves it out. */
  readonly groupStatus: string
  readonly groupReason?: string
  readonly transfers: readonly {
    readonly endToEndId: string
    readonly status: string
    readonly reason: string
  }[]
}

export function writePain002({ id, at, order, groupStatus, groupReason = '', transfers }: Answer): Xml {
  const header = tag('GrpHdr', [text('MsgId', id), text('CreDtTm', at.toISOString())])
  const about = tag('OrgnlGrpInfAndSts', [
    text('OrgnlMsgId', order.messageId),
    text('OrgnlMsgNmId', 'pain.001.001.09'),
    text('GrpSts', groupStatus),
    reasonOf(groupReason),
  ])
  const listed = transfers.map(({ endToEndId, status, reason }) =>
    tag('TxInfAndSts', [text('OrgnlEndToEndId', endToEndId), text('TxSts', status), reasonOf(reason)]),
  )
  const group =
    listed.length === 0 ? '' : tag('OrgnlPmtInfAndSts', [text('OrgnlPmtInfId', order.groupId), ...listed])
  return documentOf('pain.002.001.10', tag('CstmrPmtStsRpt', [header, about, group]))
}

function reasonOf(code: string): Xml {
  return tag('StsRsnInf', tag('Rsn', text('Cd', code)))
}
