// Settlement detail reports. A webhook names a new report; its address is not signed, so only Adyen's own hosts are believed.
import type { ChannelStore } from '../store.ts'
import type { Item } from './webhook.ts'

export const REPORT = 'report'
const namePattern = /^settlement_detail_report_batch_\d{1,9}\.csv$/

export async function noteReport(store: ChannelStore, { psp: name, reason: url, at }: Item): Promise<void> {
  if (!namePattern.test(name)) return
  await store.write([{ add: { kind: REPORT, key: name, body: { url, at: at.toISOString() } } }])
}
