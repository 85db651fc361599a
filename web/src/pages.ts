// The table of pages. The navigation, the tabs, the shortcuts and the search all come from it: a page is one line here.
import type { ComponentType } from 'react'
import type { Permission } from '../../src/backoffice/permissions.ts'
import { developerPages } from './pages/developer-pages.ts'
import { linkPages } from './pages/link-pages.ts'
import { merchantMoneyPages } from './pages/merchant-money-pages.ts'
import { moneyPages } from './pages/money-pages.ts'
import { operatorPages } from './pages/operator-pages.ts'
import { settingsPages } from './pages/settings-pages.ts'
import type { IconName } from './parts/icon.tsx'
import type { Words } from './words/en.ts'

/** The entries of the navigation, in order. One without a page that the person may see is left out. */
export const entries = [
  { id: 'overview', key: 'v' },
  { id: 'queues', key: 'q' },
  { id: 'merchants', key: 'm' },
  { id: 'orders', key: 'o' },
  { id: 'payouts', key: 'p' },
  { id: 'disputes', key: 'd' },
  { id: 'links', key: 'l' },
  { id: 'statements', key: 't' },
  { id: 'books', key: 'b' },
  { id: 'channels', key: 'c' },
  { id: 'risk', key: 'r' },
  { id: 'developers', key: 'e' },
  { id: 'settings', key: 's' },
] as const satisfies readonly {
  readonly id: IconName & keyof Words['shell']['entries']
  readonly key: string
}[]

export type EntryId = (typeof entries)[number]['id']

export type Page = {
  readonly entry: EntryId
  /** As of wouter: `/settings/audit/:entryId?`. */
  readonly path: string
  readonly title: (words: Words) => string
  readonly needs: Permission | 'signed-in'
  /** Only for a merchant's staff, or only for operators. */
  readonly only?: 'merchant' | 'operator'
  /** A page that is reached from another one has no tab. */
  readonly tab?: false
  readonly load: () => Promise<ComponentType>
}

/** The first page of an entry is the one it leads to. */
export const pages: readonly Page[] = [
  {
    entry: 'overview',
    path: '/overview',
    title: ({ overview }) => overview.title,
    needs: 'overview.read',
    only: 'merchant',
    load: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage,
  },
  {
    entry: 'orders',
    path: '/orders/:tradeNo?',
    title: ({ orders }) => orders.title,
    needs: 'orders.read',
    load: async () => (await import('./pages/orders/orders-page.tsx')).OrdersPage,
  },
  {
    entry: 'orders',
    path: '/order/:tradeNo',
    title: ({ orders }) => orders.page,
    needs: 'orders.read',
    tab: false,
    load: async () => (await import('./pages/orders/order-page.tsx')).OrderPage,
  },
  {
    entry: 'orders',
    path: '/refunds',
    title: ({ orders }) => orders.refunds,
    needs: 'refunds.read',
    only: 'merchant',
    load: async () => (await import('./pages/refunds/refunds-page.tsx')).RefundsPage,
  },
  {
    entry: 'orders',
    path: '/bulk-refunds/:bulkId?',
    title: ({ bulkRefunds }) => bulkRefunds.title,
    needs: 'refunds.create',
    only: 'merchant',
    load: async () => (await import('./pages/bulk-refunds/bulk-refunds-page.tsx')).BulkRefundsPage,
  },
  {
    entry: 'orders',
    path: '/exports',
    title: ({ exports }) => exports.title,
    needs: 'orders.export',
    only: 'merchant',
    load: async () => (await import('./pages/exports/exports-page.tsx')).ExportsPage,
  },
  {
    entry: 'queues',
    path: '/queues',
    title: ({ queues }) => queues.title,
    needs: 'approvals.read',
    only: 'operator',
    load: async () => (await import('./pages/queues/queues-page.tsx')).QueuesPage,
  },
  ...moneyPages,
  {
    entry: 'merchants',
    path: '/merchants',
    title: ({ merchants }) => merchants.title,
    needs: 'merchants.read',
    only: 'operator',
    load: async () => (await import('./pages/merchants/merchants-page.tsx')).MerchantsPage,
  },
  {
    entry: 'merchants',
    path: '/merchants/:merNo',
    title: ({ merchants }) => merchants.title,
    needs: 'merchants.read',
    only: 'operator',
    tab: false,
    load: async () => (await import('./pages/merchants/merchant-page.tsx')).MerchantPage,
  },
  {
    entry: 'merchants',
    path: '/merchant-people/:userId?',
    title: ({ team }) => team.ofMerchant,
    needs: 'users.read',
    only: 'operator',
    tab: false,
    load: async () => (await import('./pages/team/team-page.tsx')).MerchantPeoplePage,
  },
  {
    entry: 'books',
    path: '/books',
    title: ({ books }) => books.trial,
    needs: 'books.read',
    only: 'operator',
    load: async () => (await import('./pages/books/trial-balance-page.tsx')).TrialBalancePage,
  },
  {
    entry: 'books',
    path: '/books/entries',
    title: ({ books }) => books.entries,
    needs: 'books.read',
    only: 'operator',
    load: async () => (await import('./pages/books/entries-page.tsx')).EntriesPage,
  },
  {
    entry: 'books',
    path: '/books/check',
    title: ({ books }) => books.verify,
    needs: 'books.read',
    only: 'operator',
    load: async () => (await import('./pages/books/verify-page.tsx')).VerifyPage,
  },
  {
    entry: 'books',
    path: '/books/settlement',
    title: ({ books }) => books.settlement,
    needs: 'settlement.read',
    only: 'operator',
    load: async () => (await import('./pages/books/settlement-page.tsx')).SettlementPage,
  },
  ...operatorPages,
  {
    entry: 'channels',
    path: '/channels',
    title: ({ channels }) => channels.title,
    needs: 'channels.read',
    only: 'operator',
    load: async () => (await import('./pages/channels/channels-page.tsx')).ChannelsPage,
  },
  {
    entry: 'channels',
    path: '/channels/rates',
    title: ({ channels }) => channels.rates,
    needs: 'rates.read',
    only: 'operator',
    load: async () => (await import('./pages/channels/rates-page.tsx')).RatesPage,
  },
  {
    entry: 'channels',
    path: '/channels/limits',
    title: ({ channels }) => channels.limits,
    needs: 'merchants.read',
    only: 'operator',
    load: async () => (await import('./pages/channels/limits-page.tsx')).LimitsPage,
  },
  {
    entry: 'risk',
    path: '/risk',
    title: ({ risk }) => risk.hits,
    needs: 'risk.read',
    only: 'operator',
    load: async () => (await import('./pages/risk/hits-page.tsx')).HitsPage,
  },
  {
    entry: 'risk',
    path: '/risk/rules/:ruleId?',
    title: ({ risk }) => risk.rules,
    needs: 'risk.read',
    only: 'operator',
    load: async () => (await import('./pages/risk/rules-page.tsx')).RulesPage,
  },
  {
    entry: 'risk',
    path: '/risk/lists',
    title: ({ risk }) => risk.lists,
    needs: 'risk.read',
    only: 'operator',
    load: async () => (await import('./pages/risk/lists-page.tsx')).ListsPage,
  },
  ...developerPages,
  ...linkPages,
  ...merchantMoneyPages,
  ...settingsPages,
]

/** The path without its parameters. */
export function pathOf({ path }: Page): string {
  return path.replace(/\/:.*/, '')
}
