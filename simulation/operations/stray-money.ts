// A channel's statement lists unmatched money. Operators assign the money to an order. At times another operator
// assigns or returns the same money at once.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Actor, Operation } from '../operation.ts'
import type { World } from '../world/world.ts'
import { command } from './command.ts'
import { officeCall, reason, someOf } from './office-call.ts'

const NAME = 'assign stray money'
/**
 * Other operations do not import statements of this channel. The channel's first payment comes soon after the start.
 */
const CHANNEL = 'alipay'
const CURRENCY = 'USD'

export const importStrayMoney: Operation = {
  name: 'import stray money',
  weight: 2,
  async run(actor) {
    const { world, random } = actor
    const day = new Date().toISOString().slice(0, 10)
    const lines = Array.from({ length: 1 + random.below(3) }, () => {
      const reference = world.witness.newNumber('stray-')
      return `${reference},payment,${10 + random.below(200)}.00,${CURRENCY},0.00,${day}`
    })
    const file = join(world.folder, `${world.witness.newNumber('stray')}.csv`)
    writeFileSync(file, ['reference,type,amount,currency,fee,date', ...lines, ''].join('\n'))
    await command(
      actor,
      this.name,
      `statement of ${CHANNEL}`,
      'reconcile',
      '--channel',
      CHANNEL,
      '--file',
      file,
    )
  },
}

export const assignStrayMoney: Operation = {
  name: NAME,
  weight: 5,
  async run(actor) {
    const { world, random } = actor
    const [first, second] = someOf(world.office.operators, actor)
    if (first === undefined || second === undefined) return
    const query = { merNo: 0 }
    const listed = await officeCall(actor, `${NAME}: list`, 'suspense', first, 'GET /suspense', { query })
    const item = listed.kind === 'done' ? random.pick(listed.reply.rows) : undefined
    const tradeNo = await pickUnpaid(actor, world)
    if (item === undefined || tradeNo === undefined) return
    const { suspenseId } = item
    const params = { suspenseId }
    const assign = (person: typeof first) =>
      officeCall(actor, NAME, suspenseId, person, 'POST /suspense/:suspenseId/assign', {
        params,
        body: { tradeNo, reason },
      })
    const giveBack = () =>
      officeCall(actor, NAME, suspenseId, second, 'POST /suspense/:suspenseId/return', {
        params,
        body: { reason },
      })
    const kind = random.below(10)
    await Promise.all(
      kind < 6 ? [assign(first)] : kind < 8 ? [assign(first), assign(second)] : [assign(first), giveBack()],
    )
  },
}

/**
 * Returns the number of an order that failed, was cancelled or was paid. Money that is assigned to it is a late payment
 * or a surplus.
 */
async function pickUnpaid({ random }: Actor, { db }: World): Promise<string | undefined> {
  const text = `
    select o.trade_no from orders o join attempts a using (mer_no, trade_no)
    where a.channel = $1 and o.currency = $2 and o.state in (5, 6, 7) order by o.created_at desc limit 30`
  const rows = await db.query<{ trade_no: string }>({ text, values: [CHANNEL, CURRENCY] }).catch(() => [])
  return random.pick(rows)?.trade_no
}
