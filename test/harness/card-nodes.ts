// Several nodes on one database with one card issuer. Tests break the line between a node and the issuer.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openCardBook } from '../../sandbox/card-book.ts'
import { createCardIssuer } from '../../sandbox/card-issuer.ts'
import type { FoundPayment } from '../../src/money/order-queries/find-payment.ts'
import type { NewPayment } from '../../src/money/orders/new-order.ts'
import { openAcceptBatch } from '../../src/money/payments/accept-payments.ts'
import { makePayment } from '../../src/money/payments/make-payment.ts'
import { openRecordBatch } from '../../src/money/payments/record-outcomes.ts'
import { type ResolverDeps, startResolver } from '../../src/money/payments/worker.ts'
import { Gate } from '../../src/platform/concurrency/gate.ts'
import { createSingleFlight } from '../../src/platform/concurrency/single-flight.ts'
import type { Db } from '../../src/platform/postgres/db.ts'
import { createCardChannel } from '../../src/rails/protocols/bridge/card/card-channel.ts'
import { createRouting, registerChannels } from '../../src/rails/routing/routing.ts'
import type { IssuerTransport, Reply } from '../../src/rails/toolkit/transport.ts'
import { noRates } from '../builders/builders.ts'
import { noAlarms } from '../builders/no-alarms.ts'
import { inProcessTransport } from './in-process-transport.ts'

export type Line = (deliver: () => Promise<Reply>, operation: string) => Promise<Reply>

const SILENT: Reply = { kind: 'silent', why: 'no response in time' }

export const goodLine: Line = (deliver) => deliver()
/** A line on which the issuer acts, but the response is lost. */
export const losesAnswers: Line = async (deliver) => {
  await deliver()
  return SILENT
}
export const losesRequests: Line = async () => SILENT

export type CardNodes = ReturnType<typeof openCardNodes>
export type CardNode = ReturnType<CardNodes['start']>

export function openCardNodes(db: Db) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'))
  const bookFile = join(folder, 'issuer.sqlite')
  let nowMs = Date.now()
  const clock = { now: () => new Date(nowMs) }
  const acsUrl = () => 'http://127.0.0.1:1/acs'
  const issuer = createCardIssuer({ bookFile, clock, minuteMs: 60_000, acsUrl })
  const book = openCardBook(bookFile)
  const inside = inProcessTransport(issuer)
  /** The calls of all nodes, with operation and reference. */
  const calls: { readonly operation: string; readonly reference: unknown }[] = []
  const alarms: string[] = []

  /** Starts a node, which shares only the database with the others, like a separate process. */
  function start(line: Line = goodLine) {
    const transport: IssuerTransport = (operation, body, signal) => {
      calls.push({ operation, reference: body.merchantReference })
      return line(() => inside(operation, body, signal), operation)
    }
    const channel = createCardChannel({ transport, timeoutMs: 1_000, alarms: noAlarms, clock })
    const channels = registerChannels([channel])
    const deps = {
      db,
      clock,
      channels,
      routing: createRouting({ channels, clock }),
      baseUrl: 'http://127.0.0.1:1',
      acceptBatch: openAcceptBatch(db, { maxQueue: 1_000 }),
      recordBatch: openRecordBatch({ db, rates: noRates }),
      gate: new Gate({ most: 1_000 }),
      payerCalls: createSingleFlight<FoundPayment | undefined>(),
      alarm: (_tradeNo: string, what: string) => void alarms.push(what),
      alarmsOf: () => noAlarms,
      log: pino({ level: 'silent' }),
      forbidCard: async () => {},
    }
    const pay = (payment: NewPayment) =>
      deps.gate.countOf(payment.merNo, () =>
        makePayment(deps, {
          payment,
          channels: [channel],
          terminals: ['WEB'],
          secrets: { card, personal: {} },
          merchantName: 'Corner Shop',
          completeUrl: 'http://a.example',
        }),
      )
    return { deps, channel, pay, resolve: () => resolveOnce(deps) }
  }

  return {
    start,
    clock,
    calls,
    alarms,
    book,
    pass: (ms: number) => {
      nowMs += ms
    },
    close() {
      book.close()
      issuer.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' }

/** Runs the resolver once. */
async function resolveOnce(deps: ResolverDeps): Promise<void> {
  await startResolver({ ...deps, everyMs: 500 }).stop()
}
