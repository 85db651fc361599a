// Texts by the codes of the server's problems. If a text is undefined, the server's own sentence is shown.
import type { RefusalCode } from '../api/refusal.ts'

type Texts = { readonly [Code in RefusalCode]: string | undefined }

export const problems: Texts = {
  invalid: undefined,
  'not-signed-in': 'Your session has ended. Sign in again.',
  'factor-needed': 'This was not confirmed. Try again and confirm that it is you.',
  'not-allowed': 'Your role does not include this.',
  'foreign-origin': undefined,
  'not-found': 'This does not exist, or it belongs to another company.',
  conflict: 'Somebody changed this meanwhile.',
  refused: undefined,
  'too-large': 'That is too large.',
  'not-json': undefined,
  'too-many': 'Too many attempts. Wait a moment, then try again.',
  failed: 'Something went wrong on our side. Try again; if it stays, tell your operator.',
  overloaded: 'Too much is going on. Try again in a moment.',
  outage:
    'The database cannot be used at the moment. Wait a little, look whether your change was made, and try again if it was not.',
  unreachable: 'The server cannot be reached. Check your connection, then try again.',
}
