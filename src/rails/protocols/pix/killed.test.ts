// Tests payouts by a process that dies before and after every write to the channel's records.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mountPix, type SandboxPix } from '../../../../sandbox/pix/mount.ts'
import { makeReference } from '../../../../test/contracts/channel-driver.ts'
import { connectEntry, toolsWith } from '../../../../test/counterparties/connect-entry.ts'
import { type Mounted, openMounted } from '../../../../test/counterparties/mounted.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { dieEverywhere, perhaps, type Through } from '../../../../test/harness/mortal-store.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import type { PayoutRail } from '../../contract/payout-rail.ts'
import { openStore } from '../../toolkit/records/store.ts'

const money = { amount: 10_00n, currency: 'BRL' }
let bank: Mounted<SandboxPix>
const database = useDatabase({
  async before() {
    bank = await openMounted(mountPix)
  },
  after: () => bank.close(),
})

function railOf(outgoing: string, through: Through = (store) => store): PayoutRail {
  const storeOf = (name: string) => through(openStore({ db: database.db, clock: systemClock }, name))
  const entry = { ...bank.entry, methods: ['payout_pix'], protocol: 'pix', outgoing }
  return connectEntry(entry, toolsWith({ storeOf })).rail ?? assert.fail()
}

for (const [outgoing, least] of [
  ['inter', 4],
  ['efi', 0],
] as const)
  test(`a payout by ${outgoing} is paid once`, async () => {
    const beneficiary = { account: 'ana@example.com', details: {} }
    const deaths = await dieEverywhere(async (through, name) => {
      const payout = { reference: makeReference(), kind: 'pix', money, beneficiary } as const
      await perhaps(railOf(outgoing, through).send(payout))
      const rail = railOf(outgoing)
      await rail.send(payout)
      const isPaid = async () => (await rail.ask(payout.reference)).kind === 'succeeded'
      assert.ok(await eventually(isPaid), name)
      assert.equal(bank.counterparty.outgoing.count(payout.reference), 1, name)
    })
    assert.ok(deaths >= least, `${deaths} deaths`)
  })
