// A bank that exchanges files: it takes messages from the folder `out`, and writes answers, notifications and
// statements to `in`. The bank refuses a message that it has taken before, and a transfer of exactly 6.66.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../src/platform/base/clock.ts'
import { type Booking, type NewBooking, openBook } from './book.ts'
import { type Order, readOrder } from './read-order.ts'
import {
  type Account,
  type CamtOptions,
  type PageBalances,
  type Version,
  writeNotification,
  writeStatement,
} from './write-camt.ts'
import { writePain002 } from './write-pain-002.ts'

export type FileBankOptions = {
  readonly folder: string
  readonly account: Account
  readonly clock: Clock
  /** Books the transfers of a message as one batch. */
  readonly booksBatches?: boolean
}

export type Incoming = {
  readonly cents: bigint
  readonly text: string
  readonly name?: string
  readonly iban?: string
  readonly endToEndId?: string
}

export type FileBank = ReturnType<typeof createFileBank>

export const REFUSED_CENTS = 666n
const PAYER = { name: 'Zoë Exámple', iban: 'NL91ABNA0417164300' }

export function createFileBank({ folder, account, clock, booksBatches = false }: FileBankOptions) {
  const places = { out: join(folder, 'out'), in: join(folder, 'in') }
  for (const place of Object.values(places)) mkdirSync(place, { recursive: true })
  const book = openBook(join(folder, 'bank.sqlite'))
  let files = Date.now()

  let edit = (content: string) => content
  let duplicates = 0
  let heldBack: (() => void)[] | undefined

  /** Writes a file to `in`. The message version alternates from file to file, because banks use different versions. */
  function deliver(kind: string, write: (version: Version, id: string) => string): void {
    files += 1
    const id = `${kind}-${files}`
    const content = edit(write(files % 2 === 0 ? '02' : '08', id))
    const put = () => {
      writeFileSync(join(places.in, `${id}.tmp`), content)
      renameSync(join(places.in, `${id}.tmp`), join(places.in, `${id}.xml`))
    }
    if (heldBack === undefined) put()
    else heldBack.push(put)
  }

  function notify(bookings: readonly Booking[], change: Partial<CamtOptions> = {}): void {
    if (bookings.length === 0) return
    const at = clock.now()
    deliver('c54', (version, id) => writeNotification({ account, version, id, at, bookings, ...change }))
  }

  function answer(order: Pick<Order, 'messageId' | 'groupId'>, groupStatus: string, groupReason = ''): void {
    const at = clock.now()
    deliver('psr', (_, id) => writePain002({ id, at, order, groupStatus, groupReason, transfers: [] }))
  }

  function take(order: Order): void {
    if (book.takeMessage(order.messageId)) decide(order)
    else {
      duplicates += 1
      answer(order, 'RJCT', 'AM05')
    }
  }

  function decide(order: Order): void {
    const { messageId, transfers, isInstant } = order
    const accepted = transfers.filter(({ cents }) => cents !== REFUSED_CENTS)
    const at = clock.now()
    const results = transfers.flatMap((transfer) => {
      const isAccepted = accepted.includes(transfer)
      // Banks list accepted transfers only for instant orders, because each transfer of an instant order is decided
      // separately.
      if (isAccepted && !isInstant) return []
      const status = isAccepted ? 'ACSC' : 'RJCT'
      return [{ endToEndId: transfer.endToEndId, status, reason: isAccepted ? '' : 'AC04' }]
    })
    const groupStatus = results.length === 0 ? 'ACSP' : accepted.length === 0 ? 'RJCT' : 'PART'
    deliver('psr', (_, id) => writePain002({ id, at, order, groupStatus, transfers: results }))
    const batch = booksBatches ? `batch ${messageId}` : ''
    const bookings = accepted.map((one) => ({ ...one, cents: -one.cents, batch, messageId, reason: '', at }))
    notify(book.book(bookings))
  }

  return {
    folders: places,
    /** Processes the files in `out`. Returns their number. */
    takeOrders(): number {
      const names = readdirSync(places.out).filter((name) => name.endsWith('.xml'))
      for (const name of names) {
        const order = readOrder(readFileSync(join(places.out, name), 'utf8'))
        const messageId = name.replace(/\.xml$/, '')
        if (order === undefined || order.messageId !== messageId || order.debtor !== account.iban)
          answer({ messageId, groupId: messageId }, 'RJCT', 'FF01')
        else take(order)
        rmSync(join(places.out, name))
      }
      return names.length
    },
    /** Books transfers to the customer. Several transfers of one call are one batch. */
    credit(transfers: readonly Incoming[]): Booking[] {
      const at = clock.now()
      const batch = transfers.length > 1 ? `batch ${files} ${transfers.length} ${at.getTime()}` : ''
      const all: NewBooking[] = transfers.map((one) => ({
        ...PAYER,
        endToEndId: '',
        ...one,
        batch,
        messageId: '',
        reason: '',
        at,
      }))
      return book.book(all)
    },
    /** The beneficiary's bank returns a transfer, in full or in part. */
    giveBack(endToEndId: string, cents?: bigint): void {
      const paid = book.ofTransfer(endToEndId).find(({ cents }) => cents < 0n)
      if (paid === undefined) throw new Error(`the bank paid no transfer ${endToEndId}`)
      const { no: _, ...booking } = paid
      const back = { cents: cents ?? -paid.cents, batch: '', reason: 'AC04', at: clock.now() }
      notify(book.book([{ ...booking, ...back }]))
    },
    /** The payer's bank recalls a transfer. */
    recall({ no: _, ...paid }: Booking): void {
      notify(book.book([{ ...paid, cents: -paid.cents, batch: '', reason: 'FOCR', at: clock.now() }]))
    },
    notify,
    /** Writes the statement of all bookings since the last statement, and `copies` more files with the same content. */
    state(change: Partial<CamtOptions> & { readonly copies?: number } = {}): void {
      const opening = sumOf(book.stated())
      const bookings = book.unstated()
      const sequence = book.closeStatement()
      const at = clock.now()
      const statementId = `STMT-${sequence}`
      const base = { account, at, bookings, sequence, opening, ...change }
      for (let copy = 0; copy <= (change.copies ?? 0); copy++)
        deliver('c53', (version) => writeStatement({ ...base, version, id: statementId, isCopy: copy > 0 }))
    },
    /** Writes the statement as pages of `size` bookings, with one message for each page. */
    statePages(size: number, balances: PageBalances, change: Partial<CamtOptions> = {}): void {
      const opening = sumOf(book.stated())
      const bookings = book.unstated()
      const sequence = book.closeStatement()
      const base = { account, at: clock.now(), sequence, id: `STMT-${sequence}`, ...change }
      const whole = { opening, closing: opening + sumOf(bookings) }
      for (let start = 0; start < bookings.length; start += size) {
        const page = { no: start / size + 1, isLast: start + size >= bookings.length, balances, whole }
        const own = {
          opening: opening + sumOf(bookings.slice(0, start)),
          bookings: bookings.slice(start, start + size),
        }
        deliver('c53', (version) => writeStatement({ ...base, ...own, version, page }))
      }
    },
    /** The bookings that no statement has listed yet. */
    unstated: book.unstated,
    /** The number of times that the bank paid the transfer. */
    countPaid: (endToEndId: string) => book.ofTransfer(endToEndId).filter(({ cents }) => cents < 0n).length,
    /** The number of messages that the bank received again. */
    countDuplicates: () => duplicates,
    deliver,
    /** Changes the files that `work` writes. */
    change(how: (content: string) => string, work: () => void): void {
      edit = how
      work()
      edit = (content) => content
    },
    /**
     * Holds back the files that `work` writes. The returned function releases all of them, or only the files at the
     * positions in `only` (counted from 0), in the order of `only`.
     */
    held(work: () => void): (only?: readonly number[]) => void {
      const puts: (() => void)[] = []
      heldBack = puts
      work()
      heldBack = undefined
      return (only) => {
        for (const put of only === undefined ? puts : only.map((at) => puts[at])) put?.()
      }
    },
    close: () => book.close(),
  }
}

function sumOf(bookings: readonly Booking[]): bigint {
  return bookings.reduce((sum, { cents }) => sum + cents, 0n)
}
