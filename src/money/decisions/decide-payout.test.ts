import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { anOperator } from '../../../test/builders/builders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { runOnce } from '../../../test/harness/run-job.ts'
import type { Actor } from '../../platform/audit-log/entry.ts'
import { decideApproval } from '../approvals/decide-approval.ts'
import { payoutJob } from '../payouts/worker.ts'
import { decisionCarrying } from './carrying.ts'
import { decideOutcome } from './decide-outcome.ts'

const ann: Actor = { kind: 'user', name: 'ann@operator.example', address: '127.0.0.1' }
const bob: Actor = { kind: 'user', name: 'bob@operator.example', address: '127.0.0.1' }
const reason = 'The bank does not know it'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

test('a payout whose outcome waits for a second person is not sent meanwhile', async () => {
  const deps = { ...setup.deps, secondPersonAbove: 0n }
  const decide = (approvalId: string, approves: boolean) => {
    const by = { by: anOperator(bob), approves, reason: 'Checked with the bank' }
    return decideApproval({ ...deps, carrying: decisionCarrying(deps) }, { approvalId, ...by })
  }
  const noRail = () => runOnce(payoutJob({ ...setup.deps, ...setup.by() }), setup.clock.now())
  const sent: string[] = []
  const silent = { kind: 'unknown', why: 'silent' } as const
  // The rail answers each query that it does not know the payout, so the worker sends the payout again each time.
  const forgetful: typeof setup.rail = {
    ...setup.rail,
    ask: async () => ({ kind: 'absent' }),
    send: async ({ reference }) => {
      sent.push(reference)
      return silent
    },
  }
  for (const needsApproval of [true, false])
    for (const approves of [true, false]) {
      const merchant = aPayer(needsApproval ? { payoutApproval: 0n } : {})
      await setup.give(merchant.merNo, 5_000n)
      const { tradeNo, reference } = await setup.pay(merchant, aPayout(), forgetful)
      if (needsApproval) await setup.approve(merchant, tradeNo)
      await noRail()
      setup.pass(25 * 3_600_000)
      await noRail()
      sent.length = 0
      const { approvalId = '' } = await decideOutcome(deps, { tradeNo, as: 'failed', reason, actor: ann })
      const isSent = async () => {
        setup.pass(3_600_000)
        await setup.runWorker(forgetful)
        return sent.includes(reference)
      }
      assert.equal(await isSent(), false)
      await decide(approvalId, approves)
      assert.equal(await isSent(), !approves)
      assert.equal((await setup.stateOf(tradeNo))?.payout, approves ? 'failed' : 'sending')
    }
})
