// The state of outgoing mail, for operators. Never the text of a mail: it may contain a link.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Nothing, onPage, pageOf } from '../schemas.ts'

const Mail = Type.Object({
  mailId: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('sent'), Type.Literal('failed')]),
  createdAt: Moment,
  tries: Type.Integer(),
  /** The mail server's last refusal. */
  error: Type.Union([Type.String(), Type.Null()]),
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
      /** `smtp`: by a mail server; `sandbox`: kept at /sandbox/mail; `off`: no mail is sent. */
      transport: Type.Union([Type.Literal('smtp'), Type.Literal('sandbox'), Type.Literal('off')]),
      from: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  /** Sends a mail to the caller. */
  'POST /mail/test': { access: 'platform.edit', reply: Nothing },
  /** Tries a failed mail again. */
  'POST /mail/:mailId/retry': {
    access: 'platform.edit',
    params: Type.Object({ mailId: Type.String({ maxLength: 60 }) }),
    reply: Nothing,
  },
} as const satisfies Routes
