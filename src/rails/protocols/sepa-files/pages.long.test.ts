// Statements that the bank divides into pages, each in a message of its own (`MsgPgntn`).
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import {
  openSepaFiles,
  type SepaFiles,
  sepaPayout,
  startSepa,
  timesPaid,
} from '../../../../test/counterparties/sepa-files.ts'

let given: SepaFiles
beforeEach(async () => {
  given = await openSepaFiles()
})
afterEach(() => given.close())

const cents = 24_00n
const noSequence = (xml: string) => xml.replace(/<ElctrncSeqNb>\d+<\/ElctrncSeqNb>/, '')
/** Moves every date to the next day. */
const later = (xml: string) =>
  xml.replace(/(<Dt>)(\d{4}-\d\d-\d\d)/g, (_, tag, day) => {
    return `${tag}${new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)}`
  })
const check = async () => (await given.connection.check(AbortSignal.timeout(1_000))).message

/**
 * Calls `write` between two other statements, so that the chain of balances is compared on both sides. Returns all
 * alarms.
 */
async function between(write: () => void, edit = (xml: string) => xml): Promise<string> {
  const payment = await startSepa(given, 1_00n)
  const side = () => {
    given.bank.credit([payment.money])
    given.bank.change(edit, () => given.bank.state())
  }
  side()
  const before = await given.work()
  write()
  const raised = await given.work()
  side()
  return [before, raised, await given.work()].join('')
}

for (const balances of ['all', 'ends', 'interim'] as const)
  describe(`pages with balances: ${balances}`, () => {
    for (const form of ['a number', 'an id alone'])
      test(`and ${form} count every transfer once, without an alarm, also if they come again`, async () => {
        const edit = form === 'a number' ? (xml: string) => xml : noSequence
        const payment = await startSepa(given, cents)
        // The sandbox's bank alternates between two forms of text. With two entries per page, each page has equal
        // entries at equal positions.
        const raised = await between(() => {
          for (const _each of [1, 2, 3, 4, 5]) given.bank.credit([{ cents, text: payment.text }])
          given.bank.change(edit, () => given.bank.statePages(2, balances, { withoutRefs: true }))
        }, edit)
        assert.equal(await timesPaid(given, payment), 5)
        assert.equal(raised, '')
        assert.doesNotMatch(await check(), /missing/)
        given.again()
        assert.equal(await given.work(), '')
        assert.equal(await timesPaid(given, payment), 5)
      })

    test('in any order of the files, and a missing one is noticed until it comes', async () => {
      const payment = await startSepa(given, cents)
      let pages: ReturnType<typeof given.bank.held> = () => {}
      const raised = await between(() => {
        for (const _each of [1, 2, 3, 4, 5, 6]) given.bank.credit([{ cents, text: payment.text }])
        pages = given.bank.held(() => given.bank.statePages(2, balances))
        pages([2, 0])
      })
      assert.match(
        raised,
        /^c53-\d+\.xml: a statement is missing between STMT-1 and STMT-3 .*\n.*: of statement STMT-2 only the pages 1, 3 came \(/,
      )
      assert.match(await check(), /A statement is missing between STMT-1 and STMT-3\. Of statement STMT-2/)
      assert.equal(await timesPaid(given, payment), 4)
      pages([1])
      assert.equal(await given.work(), '')
      assert.equal(await timesPaid(given, payment), 6)
      assert.doesNotMatch(await check(), /missing|only the pages/)
    })

    test('a missing page is noticed, once, also if the balances before and after do not change', async () => {
      const [payment, swept] = [await startSepa(given, cents), sepaPayout(2n * cents)]
      await given.rail.send(swept)
      for (const _each of [1, 2]) given.bank.credit([{ cents, text: payment.text }])
      await given.exchange()
      assert.equal(given.bank.unstated().length, 3)
      const pages = given.bank.held(() => given.bank.statePages(1, balances))
      pages([0, 2])
      assert.equal(await given.work(), '', 'it may be on its way')
      assert.match(await check(), /Of statement STMT-1 only the pages 1, 3 came\./)
      const next = () => given.bank.change(later, () => given.bank.state())
      next()
      assert.match(await given.work(), /^c53-\d+\.xml: of statement STMT-1 only the pages 1, 3 came \(/)
      next()
      assert.equal(await given.work(), '', 'once')
      assert.match(await check(), /Of statement STMT-1 only the pages 1, 3 came\./)
      pages([1])
      assert.equal(await given.work(), '')
      assert.doesNotMatch(await check(), /only the pages/)
    })
  })

test('pages whose entries do not lead to the closing balance are reported once all are there', async () => {
  const payment = await startSepa(given, cents)
  const raised = await between(() => {
    for (const _each of [1, 2, 3]) given.bank.credit([{ cents, text: payment.text }])
    const cut = (xml: string) => xml.replace(/<Ntry>.*?<\/Ntry>(?=<Ntry>)/s, '')
    given.bank.change(cut, () => given.bank.statePages(2, 'ends'))
  })
  assert.match(raised, /the entries of statement STMT-2 lead to 49\.00 EUR, not to 73\.00 EUR/)
  assert.doesNotMatch(raised, /missing/)
})

test('a whole statement on a later page of a message about several accounts is no page', async () => {
  const payment = await startSepa(given, cents)
  const onPageTwo = (xml: string) =>
    xml.replace('</GrpHdr>', '<MsgPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></MsgPgntn></GrpHdr>')
  const raised = await between(() => {
    given.bank.credit([{ cents, text: payment.text }])
    given.bank.change(onPageTwo, () => given.bank.state())
  })
  assert.equal(raised, '')
  assert.equal(await timesPaid(given, payment), 1)
})

const noRefs = (xml: string) => xml.replace(/<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/g, '')

for (const balances of ['all', 'ends'] as const)
  for (const order of ['first', 'last'])
    test(`pages with balances (${balances}) that come ${order}, and the same statement whole, count once`, async () => {
      const payment = await startSepa(given, cents)
      for (const _each of [1, 2, 3]) given.bank.credit([{ cents, text: payment.text }])
      const whole = { xml: '' }
      given.bank.change(
        (xml) => {
          whole.xml = noRefs(xml)
          return whole.xml
        },
        () => given.bank.held(() => given.bank.state()),
      )
      const entries = whole.xml.match(/<Ntry>.*?<\/Ntry>/gs) ?? []
      assert.equal(entries.length, 3)
      const pages = entries.map((entry, at) => asPage(whole.xml, entry, { at, size: 3, balances }))
      const files = order === 'first' ? [...pages, whole.xml] : [whole.xml, ...pages]
      for (const file of files) {
        given.bank.deliver('c53', () => file)
        assert.equal(await given.work(), '')
      }
      assert.equal(await timesPaid(given, payment), 3)
    })

for (const first of [1, 2])
  test(`a whole statement on page ${first} of a message that comes again on another page counts once`, async () => {
    const payment = await startSepa(given, cents)
    for (const _each of [1, 2]) given.bank.credit([{ cents, text: payment.text }])
    let page = first - 1
    const onPage = (xml: string) => {
      page += 1
      const pages = `<MsgPgntn><PgNb>${page}</PgNb><LastPgInd>${page === 1}</LastPgInd></MsgPgntn>`
      return noRefs(xml).replace('</GrpHdr>', `${pages}</GrpHdr>`)
    }
    given.bank.change(onPage, () => given.bank.state({ copies: 2 }))
    assert.equal(await given.work(), '')
    assert.equal(await timesPaid(given, payment), 2)
    assert.equal(await check(), 'Both folders can be written.')
  })

/** Makes a page of its own from one entry of a statement. */
function asPage(
  xml: string,
  entry: string,
  { at, size, balances }: { at: number; size: number; balances: 'all' | 'ends' },
): string {
  const isLast = at === size - 1
  const codes = balances === 'all' ? ['OPBD', 'CLBD'] : at === 0 ? ['OPBD'] : isLast ? ['CLBD'] : []
  const page = `<MsgPgntn><PgNb>${at + 1}</PgNb><LastPgInd>${isLast}</LastPgInd></MsgPgntn>`
  return xml
    .replace(/<MsgPgntn>.*?<\/MsgPgntn>/s, '')
    .replace('</GrpHdr>', `${page}</GrpHdr>`)
    .replace(/<Bal>.*?<\/Bal>/gs, (balance) => (codes.some((code) => balance.includes(code)) ? balance : ''))
    .replace(/<Ntry>.*<\/Ntry>/s, entry)
}
