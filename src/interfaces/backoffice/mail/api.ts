// The state of outgoing mail, for operators. These routes never show the text of a mail, because it may contain a
// one-time link.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, oneOf, onPage, orNull, pageOf } from '../schemas.ts'

const Mail = Type.Object({
  mailId: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  state: oneOf('waiting', 'sent', 'failed'),
  createdAt: Moment,
  tries: Type.Integer(),
  error: orNull(Type.String()),
})

export const mailApi = {
  'GET /mail': {
    access: 'platform.edit',
    query: Type.Object({ ...onPage }),
    reply: pageOf(Mail),
  },
  'GET /mail/settings': {
    access: 'platform.edit',
    reply: Type.Object({
      /** `smtp` sends by a mail server, `sandbox` keeps mails at /sandbox/mail, and `off` sends no mail. */
      transport: oneOf('smtp', 'sandbox', 'off'),
      from: orNull(Type.String()),
    }),
  },
  /** Sends a test mail to the caller. */
  'POST /mail/test': { access: 'platform.edit', reply: Nothing },
  'POST /mail/:mailId/retry': {
    access: 'platform.edit',
    params: Type.Object({ mailId: Type.String({ maxLength: 60 }) }),
    reply: Nothing,
  },
} as const satisfies Routes
