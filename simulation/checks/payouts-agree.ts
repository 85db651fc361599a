// Compares payouts with the payout bank's book.
import type { Check, Finding } from '../check.ts'
import { readCounterpartyBooks, type TheirPayout } from '../counterparty-books.ts'
import type { World } from '../world/world.ts'

type PayoutRow = {
  readonly reference: string
  readonly mer_order_no: string
  readonly amount: bigint
  readonly currency: string
  readonly state: string
  readonly order_state: number
  readonly sent: number
}

export const payoutsAgree: Check = {
  name: "payouts agree with the bank's book",
  promise: 'A payout succeeded here exactly if the bank paid it, once and with the same amount.',
  async run(world) {
    const { payouts: theirs } = readCounterpartyBooks(world.dataDir)
    const ours = new Map((await readPayouts(world)).map((row) => [row.reference, row]))
    const byReference = new Map(theirs.map((payout) => [payout.reference, payout]))
    const references = new Set([...ours.keys(), ...byReference.keys()])
    const findings: Finding[] = []
    for (const reference of references) {
      const [our, their] = [ours.get(reference), byReference.get(reference)]
      const what = complaintOf(our, their)
      if (what === undefined) continue
      const about = our?.mer_order_no ?? reference
      findings.push({ what: `payout ${reference}: ${what}`, about, rows: { our, their } })
    }
    return { compared: references.size, findings }
  },
}

function complaintOf(our: PayoutRow | undefined, their: TheirPayout | undefined): string | undefined {
  if (our === undefined) return 'the bank knows it, and nobody here does'
  // In the bank's book, a returned payout still counts as paid.
  const succeeded = our.state === 'succeeded' || our.state === 'returned'
  if (our.sent !== Number(succeeded)) return `${our.state}, was booked out ${our.sent} times`
  if ((our.order_state === 5) !== (our.state === 'succeeded'))
    return `${our.state}, its order is in state ${our.order_state}`
  if (their === undefined) return succeeded ? 'succeeded here, unknown there' : undefined
  if (our.amount !== their.amount || our.currency !== their.currency)
    return 'the amounts or currencies differ'
  if (their.succeeds) return succeeded ? undefined : `paid there, ${our.state} here`
  return our.state === 'failed' ? undefined : `failed there, ${our.state} here`
}

async function readPayouts({ db, shops }: World): Promise<PayoutRow[]> {
  return await db.query<PayoutRow>({
    text: `
      select p.reference, o.mer_order_no, o.amount, o.currency, p.state, o.state as order_state,
        (select count(*) from ledger_entries e where e.mer_no = p.mer_no and e.subject = p.trade_no
          and e.step = 'payout:sent' and e.amount = o.amount and e.currency = o.currency)::int as sent
      from payouts p join orders o using (mer_no, trade_no)
      where p.mer_no = any ($1::bigint[])`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
