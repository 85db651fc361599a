// The signer has the key of the account that coin leaves from. It gets the same request and gives the same answers in a folder
// (signer-folder.ts) and over a socket (signer-socket.ts).
import { isObject } from '../../base/object.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Checked } from '../protocol.ts'
import { withoutHexKeys } from '../their-reason.ts'

export type Signer = {
  /** The ids that the signer was asked about. Others are to be asked, also again. */
  asked(): Promise<ReadonlySet<string>>
  /** Throws a SignerAway if the signer cannot be reached. */
  ask(id: string, request: object): Promise<void>
  /** What arrived since the last call, or is not finished. There may be several answers for one id. */
  answers(): Promise<readonly SignerAnswer[]>
  /** After the answer was recorded. */
  finish(id: string, into: 'done' | 'bad'): Promise<void>
  /** Whether it can be reached, and signs for the account. */
  check(signal: AbortSignal): Promise<Checked>
}

export type SignerAnswer =
  | { readonly id: string; readonly kind: 'signed'; readonly raw: string }
  | { readonly id: string; readonly kind: 'refused'; readonly why: string }
  | { readonly id: string; readonly kind: 'malformed' }

export class SignerAway extends Error {
  override readonly name = 'SignerAway'
}

const MAX_WHY = 200

/** `id` names an answer that does not name its own. */
export function readAnswer(text: string, id: string): SignerAnswer {
  const body = parseJson(text)
  if (!isObject(body)) return { id, kind: 'malformed' }
  if (typeof body.raw === 'string') return { id, kind: 'signed', raw: body.raw.trim() }
  if (typeof body.refused === 'string')
    return { id, kind: 'refused', why: withoutHexKeys(body.refused).slice(0, MAX_WHY) }
  return { id, kind: 'malformed' }
}
