// Payments in review. The merchant sends information and files, and an operator decides.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Moment, Money, Nothing, ofMerchant, ofOrder, oneOf, pageOf, Reason, text } from '../schemas.ts'

export const infoTypes = [
  'payerName',
  'payerEmail',
  'payerNationality',
  'payerBirthday',
  'businessModel',
  'fundUsageDescription',
  'proofOfDeliveryInformation',
  'profitModel',
  'customerAcquisitionModel',
  'transactionWebsite',
  'payeeName',
  'payeeNationality',
  'payeeBirthday',
] as const

export const fileTypes = [
  'documentsProvingSourceOfFunds',
  'payerIdentityDocument',
  'buyerConfirmationLetter',
  'buyerPaymentStatement',
  'documentsProvingBusinessTransactions',
  'transactionProofDocuments',
  'transactionDetails',
  'historicalOrderRecords',
  'communicationRecordsWithPayers',
] as const

const OneOf = <const Names extends readonly string[]>(names: Names) =>
  Type.Unsafe<Names[number]>(Type.String({ enum: [...names] }))

const state = oneOf('picked', 'asked', 'submitted', 'returning', 'approved', 'rejected')

const Listed = Type.Object({
  tradeNo: Type.String(),
  merNo: Type.Integer(),
  merOrderNo: Type.String(),
  ...ofOrder,
  money: Money,
  state,
  message: Type.String(),
  since: Moment,
})

const Review = Type.Object({
  tradeNo: Type.String(),
  merNo: Type.Integer(),
  merOrderNo: Type.String(),
  money: Money,
  state,
  note: Type.String(),
  submittedAt: Type.Optional(Moment),
  decidedAt: Type.Optional(Moment),
  info: Type.Record(Type.String(), Type.String()),
  files: Type.Array(
    Type.Object({
      fileId: Type.String(),
      proves: Type.String(),
      suffix: Type.String(),
      bytes: Type.Integer(),
      uploadedAt: Moment,
    }),
  ),
})

const OfOrder = Type.Object({ tradeNo: Type.String({ maxLength: 32 }) })
const deciding = { access: 'reviews.decide', params: OfOrder, reply: Nothing } as const

export const reviewsApi = {
  'GET /reviews': { access: 'reviews.read', query: Type.Object(ofMerchant), reply: pageOf(Listed) },
  'GET /reviews/:tradeNo': { access: 'reviews.read', params: OfOrder, reply: Review },
  'GET /reviews/:tradeNo/files/:fileId': {
    access: 'reviews.read',
    params: Type.Object({ tradeNo: Type.String({ maxLength: 32 }), fileId: Type.String({ maxLength: 32 }) }),
    reply: 'file',
  },
  'POST /reviews/:tradeNo/files': {
    access: 'reviews.answer',
    /** The limit allows for a file of 2 MiB in base64 and for the other fields. */
    bodyLimit: 2_900_000,
    params: OfOrder,
    body: Type.Object({ type: Type.String({ maxLength: 5 }), content: Type.String() }),
    reply: Type.Object({ fileId: Type.String() }),
  },
  'POST /reviews/:tradeNo/answer': {
    access: 'reviews.answer',
    params: OfOrder,
    body: Type.Object({
      info: Type.Record(Type.String({ maxLength: 40 }), text(255)),
      files: Type.Array(Type.Object({ fileId: Type.String({ maxLength: 32 }), proves: OneOf(fileTypes) }), {
        maxItems: 6,
      }),
    }),
    reply: Nothing,
  },
  /** Picks an unpaid order for review. The payment then waits in review once its money arrives. */
  'POST /reviews/:tradeNo/pick': { ...deciding, body: Type.Object({ reason: Reason }) },
  'POST /reviews/:tradeNo/approve': { ...deciding, dangerous: true, body: Type.Object({ reason: Reason }) },
  /** Asks the merchant for information. The merchant reads the note. */
  'POST /reviews/:tradeNo/ask': { ...deciding, body: Type.Object({ note: text(255) }) },
  'POST /reviews/:tradeNo/reject': {
    ...deciding,
    dangerous: true,
    body: Type.Object({ note: text(255), isReturned: Type.Boolean() }),
  },
} as const satisfies Routes
