// The request log, and the signature debugger.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, ofMerchant, oneOf, onPage, orNull, pageOf, text } from '../schemas.ts'

/**
 * The merchant whose log is read. The log of merchant 0 has the calls without a known merchant. Only operators see that
 * log.
 */
const ofLog = { merNo: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })) } as const

const nullable = orNull(Type.String())

const Row = {
  requestId: Type.String(),
  merNo: Type.Integer(),
  at: Moment,
  endpoint: Type.String(),
  code: Type.String(),
  status: Type.Integer(),
  durationMs: Type.Integer(),
  merOrderNo: nullable,
  tradeNo: nullable,
  reason: nullable,
} as const

const RequestId = Type.Object({ requestId: Type.String({ maxLength: 36 }) })

export const requestsApi = {
  'GET /requests': {
    access: 'developers.read',
    query: Type.Object({
      ...ofLog,
      ...onPage,
      endpoint: Type.Optional(text(40)),
      code: Type.Optional(text(5)),
      refused: Type.Optional(Type.Boolean()),
      merOrderNo: Type.Optional(text(64)),
      from: Type.Optional(Moment),
      until: Type.Optional(Moment),
    }),
    reply: pageOf(Type.Object(Row)),
  },
  'GET /requests/:requestId': {
    access: 'developers.read',
    params: RequestId,
    query: Type.Object(ofLog),
    reply: Type.Object({
      ...Row,
      address: Type.String(),
      agent: Type.String(),
      paymentType: Type.String(),
      referer: Type.String(),
      /** The masked body, or '' if it could not be parsed. */
      body: Type.String(),
      answer: Type.String(),
      curl: Type.String(),
      /** The same call with the SDK. Null if the SDK has no such call. */
      sdk: nullable,
      /**
       * True if the request can be sent again: the mode is sandbox, and the log has everything that the request needs.
       */
      runnable: Type.Boolean(),
    }),
  },
  /**
   * Sends the request again, in sandbox only. The body gets a new order or refund number, and test values in place of
   * masked values. The request is signed again.
   */
  'POST /requests/:requestId/again': {
    access: 'keys.edit',
    params: RequestId,
    reply: Type.Object({
      requestId: Type.String(),
      status: Type.Integer(),
      code: Type.String(),
      answer: Type.String(),
    }),
  },
  'POST /signature/explain': {
    access: 'developers.read',
    query: Type.Object(ofMerchant),
    body: Type.Object({
      /**
       * The id of a logged request, which is explained in place of `endpoint` and `body`. The log keeps only signatures
       * that were refused.
       */
      requestId: Type.Optional(Type.String({ maxLength: 36 })),
      endpoint: Type.Optional(Type.String({ maxLength: 40 })),
      body: Type.Optional(Type.String({ maxLength: 60_000 })),
      /** The signature. Needed if it is neither in the body nor in the log. */
      sign: Type.Optional(Type.String({ maxLength: 2_048 })),
      /** The text that the caller claims to have signed. */
      signed: Type.Optional(Type.String({ maxLength: 60_000 })),
    }),
    reply: Type.Object({
      endpoint: Type.String(),
      algorithm: oneOf('md5', 'rsa'),
      stringToSign: Type.String(),
      fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      verdict: oneOf('right', 'wrong', 'missing'),
      difference: Type.Optional(
        Type.Object({
          at: Type.Integer(),
          field: Type.String(),
          right: Type.String(),
          given: Type.String(),
        }),
      ),
      mistakes: Type.Array(Type.Object({ code: Type.String(), says: Type.String() })),
    }),
  },
} as const satisfies Routes
