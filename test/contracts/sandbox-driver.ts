// Drives any channel against the sandbox with the sandbox's own settings, and pays on the sandbox's pages.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REFUSED, refusedRefund, SILENT_AND_NOT_OPENED, SILENT_BUT_OPENED } from '../../sandbox/bank/bank.ts'
import type { ChannelEntry } from '../../sandbox/place.ts'
import { type Sandbox, startSandbox } from '../../sandbox/server.ts'
import { type Clock, systemClock } from '../../src/platform/base/clock.ts'
import { formatAmount, type Money } from '../../src/platform/base/money.ts'
import type { Callback, Channel, PayerAction, StartRequest } from '../../src/rails/contract/channel.ts'
import type { ChannelTools } from '../../src/rails/contract/settings.ts'
import { type Method, methods } from '../../src/rails/methods/methods.ts'
import type { Terminal } from '../../src/rails/methods/terminal.ts'
import { openStore } from '../../src/rails/toolkit/records/store.ts'
import { signatureHeader, signRequest, timestampHeader } from '../../src/rails/toolkit/signature.ts'
import { evasionsOf, withFields } from '../builders/forged-answers.ts'
import { giveSandboxKeys } from '../builders/rsa-keys.ts'
import { openCallbackReceiver } from '../counterparties/callback-receiver.ts'
import { connectChannel, toolsWith } from '../counterparties/connect-entry.ts'
import { formOn, openPage } from '../harness/browser.ts'
import { cloneDatabase } from '../harness/harness.ts'
import {
  type Answer,
  type Behaviour,
  type ChannelDriver,
  type FaultAccess,
  makeReference,
  secretsIn,
  sentByPayers,
} from './channel-driver.ts'

export const SECRET = 'a secret for tests'
export const COMPLETE_URL = 'http://127.0.0.1:1/pay/token/complete'
const PATIENT_MS = 60_000
const HALF_AN_HOUR_MS = 1_800_000

export type SandboxDriverOptions = {
  readonly method: Method
  /** The amount, unless a behaviour needs another one. */
  readonly money: Money
  readonly terminal?: Terminal
  readonly details?: Readonly<Record<string, unknown>>
  readonly personal?: Readonly<Record<string, unknown>>
  /** Forges a callback; by default a message of the bank protocol. */
  readonly forge?: (callback: Callback, money: Money, sandbox: Sandbox, folder: string) => Callback
  readonly believes?: 'signature' | 'asking'
  readonly returnsActionOnce?: boolean
  /** True if the reference was charged; by default according to the records of the method's bank. */
  readonly isCharged?: (reference: string, sandbox: Sandbox) => Promise<boolean>
  /** Returns the page of the counterparty's app for the given SDK parameters. */
  readonly appPage?: (sdkParams: string, sandbox: Sandbox) => string
  readonly minuteMs?: number
  /**
   * Settings with credentials that the counterparty does not accept; by default another secret of the bank protocol.
   */
  readonly stranger?: Readonly<Record<string, unknown>>
  /** True for the path of a call about a payment; by default every call. */
  readonly isAboutPayment?: (path: string) => boolean
  /** The format of the counterparty's answers; by default that of the bank protocol. */
  readonly wording?: (folder: string) => Pick<FaultAccess, 'evasions' | 'forge'>
  /** True if the channel keeps records, for which it needs a database. */
  readonly keepsRecords?: boolean
}

export async function openSandboxDriver(options: SandboxDriverOptions): Promise<ChannelDriver> {
  const { method, money, believes = 'signature', forge = forgeBankMessage, minuteMs = 60_000 } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-channel-'))
  giveSandboxKeys(dataDir)
  const sandbox = await startSandbox({ host: '127.0.0.1', dataDir, minuteMs, secret: SECRET })
  const callbacks = await openCallbackReceiver()
  const database = options.keepsRecords ? await cloneDatabase() : undefined
  const tools: Partial<ChannelTools> = database
    ? { storeOf: (name) => openStore({ db: database.db, clock: systemClock }, name) }
    : {}
  const channel = connectTo(sandbox, method, PATIENT_MS, tools)
  callbacks.answerWith(async (callback) => {
    const handled = await channel.readCallback?.(callback)
    return handled?.answer ?? { status: 404, type: 'text/plain', body: '' }
  })
  const pageOf = (action: PayerAction) =>
    action.kind === 'app' ? (options.appPage?.(action.sdkParams, sandbox) ?? '') : payerPage(action)
  const send = async (action: PayerAction, amount: bigint) => {
    await decide(pageOf(action), { decision: 'approve', amount: formatAmount(amount, money.currency) })
  }
  return {
    channel,
    within: (timeoutMs) => connectTo(sandbox, method, timeoutMs, tools),
    request: (behaviour, reference) => makeRequest(options, behaviour, reference, callbacks.url),
    act: (action, deed) => decide(pageOf(action), { decision: deed }),
    ...(sentByPayers.includes(method) && { send }),
    push: {
      kind: 'callback',
      believes,
      received: callbacks.received,
      forge: (callback, other) => forge(callback, other, sandbox, join(dataDir, 'sandbox')),
    },
    ...(options.returnsActionOnce && { returnsActionOnce: true }),
    refusedRefund: { amount: refusedRefund(money.currency), currency: money.currency },
    faults: faultsAt(sandbox, options, tools, join(dataDir, 'sandbox')),
    isCharged: async (reference) =>
      options.isCharged?.(reference, sandbox) ??
      (sandbox.bank(method)?.find(reference)?.deposits.length ?? 0) > 0,
    async close() {
      await callbacks.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true })
      await database?.drop()
    },
  }
}

/** Connects the channel as a gateway would configure it. */
export function connectTo(
  sandbox: Sandbox,
  method: Method,
  timeoutMs = PATIENT_MS,
  tools: Partial<ChannelTools> = {},
): Channel {
  const given = toolsWith({ timeoutMs, useToken: useOnce(), ...tools })
  return connectChannel(entryOf(sandbox, method), method, given)
}

function entryOf(sandbox: Sandbox, method: Method): ChannelEntry {
  const found = sandbox.settings().find((entry) => entry.method === method)
  assert.ok(found, `the sandbox has settings for ${method}`)
  return found
}

function faultsAt(
  sandbox: Sandbox,
  options: SandboxDriverOptions,
  tools: Partial<ChannelTools>,
  folder: string,
): FaultAccess {
  const { method, stranger = { secret: 'another' }, isAboutPayment, wording = () => bankWording } = options
  const entry = entryOf(sandbox, method)
  const connect = (changes: object, clock: Clock = systemClock) =>
    connectChannel({ ...entry, ...changes }, method, toolsWith({ timeoutMs: PATIENT_MS, clock, ...tools }))
  return {
    url: String(entry.url),
    connect: ({ url = entry.url, clock }) => connect({ url }, clock),
    connectAsStranger: () => connect(stranger),
    secrets: secretsIn(entry),
    ...wording(folder),
    ...(isAboutPayment !== undefined && { isAboutPayment }),
  }
}

/** The answers of our own bank protocol. */
export const bankWording: Pick<FaultAccess, 'evasions' | 'forge'> = {
  evasions: evasionsOf(
    [429, { error: 'too_many_requests' }],
    [500, { error: 'internal' }],
    [400, { error: 'a_new_error' }],
  ),
  forge: {
    state: (answer) => withFields(answer, { status: () => 'on_hold' }),
    money: (answer, { amount, currency }) =>
      withFields(answer, { amount: () => amount.toString(), currency: () => currency }),
  },
}

function useOnce() {
  const used = new Map<string, string>()
  return async ({ merNo, tokenId }: { merNo: number; tokenId: string }, reference: string) => {
    const key = `${merNo} ${tokenId}`
    if (!used.has(key)) used.set(key, reference)
    return used.get(key) === reference
  }
}

const amounts: Partial<Record<Behaviour, string>> = {
  'silent-but-opened': SILENT_BUT_OPENED,
  'silent-and-not-opened': SILENT_AND_NOT_OPENED,
  refused: REFUSED,
}

export function makeRequest(
  { method, money, terminal = 'WEB', details = {}, personal = {} }: SandboxDriverOptions,
  behaviour: Behaviour,
  reference = makeReference(),
  callbackUrl = 'http://127.0.0.1:1/callbacks/test',
): StartRequest {
  const amount = BigInt(amounts[behaviour] ?? money.amount)
  const waitsMs = methods[method].awaitsPayerMinutes * 60_000
  return {
    reference,
    money: { amount, currency: money.currency },
    merNo: 10_001,
    personal,
    details: { email: 'payer@example.com', userId: 'user-1', ...details },
    terminal,
    merchantName: 'Test shop',
    expiresAt: new Date(Date.now() + Math.max(waitsMs, HALF_AN_HOUR_MS)),
    completeUrl: COMPLETE_URL,
    callbackUrl,
  }
}

/** Acts as the payer on the counterparty's page, and returns the parameters of the browser's return, or {}. */
async function decide(url: string, entered: Answer): Promise<Answer> {
  const page = await openPage(url, undefined, COMPLETE_URL)
  if (!page.html.includes('Approve payment')) return {}
  const { action: target, fields } = formOn(page)
  const body = new URLSearchParams({ ...fields, ...entered })
  const response = await fetch(target, { method: 'POST', body, redirect: 'manual' })
  const location = response.headers.get('location')
  assert.ok(response.status < 400, `the payer's page answered ${response.status}`)
  if (location === null) return {}
  assert.ok(location.startsWith(COMPLETE_URL), location)
  return Object.fromEntries(new URL(location).searchParams)
}

function payerPage(action: PayerAction): string {
  if (action.kind === 'redirect') return action.url
  const url = 'appUrl' in action ? action.appUrl : undefined
  assert.ok(url, 'the sandbox has a page for the payer')
  return url
}

/** Makes a message in which the bank reports another amount, with a valid signature. */
export function forgeBankMessage(callback: Callback, { amount, currency }: Money): Callback {
  const charge = JSON.parse(callback.body)
  const money = { amount: amount.toString(), currency }
  const deposits = charge.deposits.map((deposit: object) => ({ ...deposit, ...money }))
  return signAgain(callback, JSON.stringify({ ...charge, ...money, deposits }))
}

/** Replaces the body of a callback, with a valid signature of the counterparty. */
export function signAgain(callback: Callback, body: string): Callback {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const { method, path } = callback
  const signature = signRequest(SECRET, { method, path, timestamp, body })
  const headers = { ...callback.headers, [timestampHeader]: timestamp, [signatureHeader]: signature }
  return { ...callback, headers, body }
}
