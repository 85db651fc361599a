// What operators read of one merchant's money. They are reached from the page of the merchant.
import type { Page } from '../pages.ts'

const ofMerchant = { entry: 'merchants', only: 'operator', tab: false } as const

export const merchantMoneyPages: readonly Page[] = [
  {
    ...ofMerchant,
    path: '/merchant-refunds',
    title: ({ orders }) => orders.refunds,
    needs: 'refunds.read',
    load: async () => (await import('./refunds/refunds-page.tsx')).RefundsPage,
  },
  {
    ...ofMerchant,
    path: '/merchant-payouts',
    title: ({ payouts }) => payouts.title,
    needs: 'payouts.read',
    load: async () => (await import('./payouts/payouts-page.tsx')).PayoutsPage,
  },
  {
    ...ofMerchant,
    path: '/merchant-statement',
    title: ({ statements }) => statements.title,
    needs: 'statements.read',
    load: async () => (await import('./statements/statement-page.tsx')).StatementPage,
  },
  {
    ...ofMerchant,
    path: '/merchant-exports',
    title: ({ exports }) => exports.title,
    needs: 'orders.export',
    load: async () => (await import('./exports/exports-page.tsx')).ExportsPage,
  },
]
