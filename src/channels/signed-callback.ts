// Callbacks in our own signed JSON: who sent it, and when, is proven before anything in it is read.

import { parseJson } from '../http/client/http-client.ts'
import type { Callback, CallbackAnswer, Heard, Outcome } from './contract.ts'
import { isSignedBy, signatureHeader, timestampHeader } from './signature.ts'

export type SignedCallbackOptions = {
  readonly secret: string
  readonly now: Date
  /** What the message says of which reference; undefined when it makes no sense. */
  readonly read: (body: unknown) => Report | undefined | Promise<Report | undefined>
}

type Report = { readonly reference: string; readonly outcome: Outcome }

export async function hearSigned(
  callback: Callback,
  { secret, now, read }: SignedCallbackOptions,
): Promise<Heard> {
  if (!isProven(callback, secret, now))
    return {
      kind: 'refused',
      why: 'the signature is missing, wrong or too old',
      answer: answer(401, 'refused'),
    }
  const report = await read(parseJson(callback.body))
  // Unknown would change nothing: better that the counterparty says it again than that it counts as heard.
  if (report === undefined || report.outcome.kind === 'unknown')
    return { kind: 'refused', why: whyNot(report?.outcome), answer: answer(422, 'not understood') }
  return { kind: 'heard', reports: [report], answer: answer(200, 'heard') }
}

function isProven({ method, path, headers, body }: Callback, secret: string, now: Date): boolean {
  const timestamp = headers[timestampHeader] ?? ''
  return isSignedBy(secret, { method, path, timestamp, body }, headers[signatureHeader] ?? '', now)
}

function whyNot(outcome: Outcome | undefined): string {
  return outcome?.kind === 'unknown' ? outcome.why : 'the message names no payment'
}

function answer(status: number, result: string): CallbackAnswer {
  return { status, type: 'application/json', body: JSON.stringify({ result }) }
}
