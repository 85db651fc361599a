// The books: accounts, entries, the trial balance, and the run that checks the rules of the books.
import { Type } from 'typebox'
import type { Routes } from '../route.ts'
import { Run } from '../runs/wire.ts'
import { Moment, oneOf, onPage, pageOf } from '../schemas.ts'

/** The owner of an account. Merchant 0 is the platform. */
const Owner = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

const Balance = Type.Object({
  account: Type.String(),
  currency: Type.String(),
  debits: Type.String(),
  credits: Type.String(),
  /** Credits minus debits. */
  balance: Type.String(),
})

/** What an entry is about. Entries about payments and payouts have the kind `orders`. */
const Kind = oneOf('orders', 'refunds', 'chargebacks', 'corrections')

const Entry = Type.Object({
  merNo: Type.Integer(),
  subject: Type.String(),
  step: Type.String(),
  debit: Type.String(),
  credit: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  at: Moment,
})

export const booksApi = {
  'GET /books/balances': {
    access: 'books.read',
    query: Type.Object({ merNo: Owner }),
    reply: Type.Object({ balances: Type.Array(Balance) }),
  },
  'GET /books/entries': {
    access: 'books.read',
    query: Type.Object({
      ...onPage,
      /** If missing, the entries of all merchants and of the platform are listed. */
      merNo: Type.Optional(Owner),
      /**
       * The id of what the entries are about, such as a trade number. If missing, the newest entries of `kind` up to
       * `until` are listed.
       */
      subject: Type.Optional(Type.String({ maxLength: 100 })),
      kind: Type.Optional(Kind),
      until: Type.Optional(Moment),
    }),
    reply: pageOf(Entry),
  },
  'GET /books/trial-balance': {
    access: 'books.read',
    reply: Type.Object({
      currencies: Type.Array(
        Type.Object({
          currency: Type.String(),
          debits: Type.String(),
          credits: Type.String(),
          isBalanced: Type.Boolean(),
          accounts: Type.Array(
            Type.Object({ account: Type.String(), debits: Type.String(), credits: Type.String() }),
          ),
        }),
      ),
    }),
  },
  'GET /books/verify': {
    access: 'books.read',
    reply: Type.Object({ runs: Type.Array(Run) }),
  },
  'POST /books/verify': {
    access: 'books.verify',
    reply: Type.Object({ runId: Type.String() }),
  },
} as const satisfies Routes
