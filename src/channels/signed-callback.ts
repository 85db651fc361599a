// Callbacks of our own protocol: the signature and its time are verified before the body is read.

import { parseJson } from '../http/client/http-client.ts'
import type { Callback, CallbackAnswer, CallbackResult, Outcome } from './contract.ts'
import { isSignedBy, signatureHeader, timestampHeader } from './signature.ts'

export type SignedCallbackOptions = {
  readonly secret: string
  readonly now: Date
  /** Reads the reference and the outcome from the body; undefined when it is malformed. */
  readonly read: (body: unknown) => Report | undefined | Promise<Report | undefined>
}

type Report = { readonly reference: string; readonly outcome: Outcome }

export async function readSignedCallback(
  callback: Callback,
  { secret, now, read }: SignedCallbackOptions,
): Promise<CallbackResult> {
  if (!isAuthentic(callback, secret, now))
    return {
      kind: 'refused',
      why: 'the signature is missing, wrong or too old',
      answer: answer(401, 'refused'),
    }
  const report = await read(parseJson(callback.body))
  // An unknown outcome changes nothing, so refuse it: the counterparty will send the callback again.
  if (report === undefined || report.outcome.kind === 'unknown')
    return { kind: 'refused', why: whyNot(report?.outcome), answer: answer(422, 'not understood') }
  return { kind: 'accepted', reports: [report], answer: answer(200, 'received') }
}

function isAuthentic({ method, path, headers, body }: Callback, secret: string, now: Date): boolean {
  const timestamp = headers[timestampHeader] ?? ''
  return isSignedBy(secret, { method, path, timestamp, body }, headers[signatureHeader] ?? '', now)
}

function whyNot(outcome: Outcome | undefined): string {
  return outcome?.kind === 'unknown' ? outcome.why : 'the callback names no payment'
}

function answer(status: number, result: string): CallbackAnswer {
  return { status, type: 'application/json', body: JSON.stringify({ result }) }
}
