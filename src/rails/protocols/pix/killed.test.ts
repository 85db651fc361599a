// The process dies before and after every write to its records.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mountPix, type SandboxPix } from '../../../sandbox/pix/mount.ts'
import { makeReference } from '../../../test/channel-driver.ts'
import { connectEntry, toolsWith } from '../../../test/connect-entry.ts'
import { eventually } from '../../../test/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/harness.ts'
import { dieEverywhere, perhaps, type Through } from '../../../test/mortal-store.ts'
import { type Mounted, openMounted } from '../../../test/mounted.ts'
import { systemClock } from '../../base/clock.ts'
import { openStore } from '../open-store.ts'
import type { PayoutRail } from '../payout/contract.ts'

const money = { amount: 10_00n, currency: 'BRL' }
let bank: Mounted<SandboxPix>
let database: TestDatabase
before(async () => {
  bank = await openMounted(mountPix)
  database = await cloneDatabase()
})
after(async () => {
  await bank.close()
  await database.drop()
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
