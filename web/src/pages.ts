// The table of pages, each with its component, which is loaded when the page is first opened. The navigation, the tabs, the
// shortcuts and the search come from this table.
import type { Page } from './shell/page.ts'

const overview = { entry: 'overview', only: 'merchant' } as const
const orders = { entry: 'orders' } as const
const queues = { entry: 'queues', only: 'operator' } as const
const payouts = { entry: 'payouts', only: 'merchant' } as const
const disputes = { entry: 'disputes', only: 'merchant' } as const
const statements = { entry: 'statements', only: 'merchant' } as const
const merchants = { entry: 'merchants', only: 'operator' } as const
const ofMerchant = { entry: 'merchants', only: 'operator', tab: false } as const
const books = { entry: 'books', only: 'operator' } as const
const operations = { entry: 'overview', only: 'operator' } as const
const channels = { entry: 'channels', only: 'operator' } as const
const risk = { entry: 'risk', only: 'operator' } as const
const developers = { entry: 'developers', only: 'merchant' } as const
const links = { entry: 'links', only: 'merchant' } as const
const settings = { entry: 'settings' } as const

/** An entry of the navigation leads to its first page in this list. */
export const pages: readonly Page[] = [
  page(overview, '/overview', 'overview.read', {
    title: (words) => words.overview.title,
    load: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage,
  }),
  page(orders, '/orders/:tradeNo?', 'orders.read', {
    title: (words) => words.orders.title,
    load: async () => (await import('./pages/orders/orders-page.tsx')).OrdersPage,
  }),
  page(orders, '/order/:tradeNo', 'orders.read', {
    tab: false,
    title: (words) => words.orders.page,
    load: async () => (await import('./pages/orders/order-page.tsx')).OrderPage,
  }),
  page(orders, '/refunds', 'refunds.read', {
    only: 'merchant',
    title: (words) => words.orders.refunds,
    load: async () => (await import('./pages/refunds/refunds-page.tsx')).RefundsPage,
  }),
  page(orders, '/bulk-refunds/:bulkId?', 'refunds.create', {
    only: 'merchant',
    title: (words) => words.bulkRefunds.title,
    load: async () => (await import('./pages/bulk-refunds/bulk-refunds-page.tsx')).BulkRefundsPage,
  }),
  page(orders, '/exports', 'orders.export', {
    only: 'merchant',
    title: (words) => words.exports.title,
    load: async () => (await import('./pages/exports/exports-page.tsx')).ExportsPage,
  }),
  page(queues, '/queues', 'approvals.read', {
    title: (words) => words.queues.title,
    load: async () => (await import('./pages/queues/queues-page.tsx')).QueuesPage,
  }),
  page(queues, '/queues/approvals', 'approvals.read', {
    title: (words) => words.decide.approvals,
    load: async () => (await import('./pages/queues/approvals-page.tsx')).ApprovalsPage,
  }),
  page(queues, '/queues/outcomes', 'outcomes.read', {
    title: (words) => words.decide.outcomes,
    load: async () => (await import('./pages/queues/outcomes-page.tsx')).OutcomesPage,
  }),
  page(queues, '/queues/refunds', 'approvals.read', {
    title: (words) => words.decide.refunds,
    load: async () => (await import('./pages/queues/waiting-refunds-page.tsx')).WaitingRefundsPage,
  }),
  page(queues, '/queues/payouts', 'approvals.read', {
    title: (words) => words.decide.payouts,
    load: async () => (await import('./pages/queues/waiting-payouts-page.tsx')).WaitingPayoutsPage,
  }),
  page(queues, '/queues/suspense', 'suspense.read', {
    title: (words) => words.decide.suspense,
    load: async () => (await import('./pages/queues/suspense-page.tsx')).SuspensePage,
  }),
  page(queues, '/queues/deliveries', 'approvals.read', {
    title: (words) => words.queues.deliveries,
    load: async () => (await import('./pages/queues/deliveries-page.tsx')).DeliveriesPage,
  }),
  page(queues, '/queues/reviews/:tradeNo?', 'reviews.read', {
    title: (words) => words.cases.reviews,
    load: async () => (await import('./pages/reviews/reviews-page.tsx')).ReviewsPage,
  }),
  page(queues, '/queues/disputes/:tradeNo?', 'disputes.read', {
    title: (words) => words.cases.disputes,
    load: async () => (await import('./pages/disputes/disputes-page.tsx')).DisputesPage,
  }),
  page(payouts, '/payouts', 'payouts.read', {
    title: (words) => words.payouts.title,
    load: async () => (await import('./pages/payouts/payouts-page.tsx')).PayoutsPage,
  }),
  page(payouts, '/payouts/new', 'payouts.create', {
    title: (words) => words.payouts.make,
    load: async () => (await import('./pages/payouts/new-payout-page.tsx')).NewPayoutPage,
  }),
  page(payouts, '/payouts/runs/:runId?', 'payouts.read', {
    title: (words) => words.payouts.runs,
    load: async () => (await import('./pages/payouts/runs-page.tsx')).RunsPage,
  }),
  page(payouts, '/payouts/beneficiaries', 'payouts.read', {
    title: (words) => words.payouts.beneficiaries,
    load: async () => (await import('./pages/payouts/beneficiaries-page.tsx')).BeneficiariesPage,
  }),
  page(payouts, '/payouts/approvals', 'payouts.read', {
    title: (words) => words.payouts.approvals,
    load: async () => (await import('./pages/payouts/payout-approvals-page.tsx')).PayoutApprovalsPage,
  }),
  page(disputes, '/disputes/cases/:tradeNo?', 'disputes.read', {
    title: (words) => words.cases.disputes,
    load: async () => (await import('./pages/disputes/disputes-page.tsx')).DisputesPage,
  }),
  page(disputes, '/disputes/reviews/:tradeNo?', 'reviews.read', {
    title: (words) => words.cases.reviews,
    load: async () => (await import('./pages/reviews/reviews-page.tsx')).ReviewsPage,
  }),
  page(statements, '/statements', 'statements.read', {
    title: (words) => words.statements.title,
    load: async () => (await import('./pages/statements/statement-page.tsx')).StatementPage,
  }),
  page(statements, '/statements/fees', 'statements.read', {
    title: (words) => words.statements.fees,
    load: async () => (await import('./pages/statements/fees-page.tsx')).FeesPage,
  }),
  page(statements, '/statements/coming', 'statements.read', {
    title: (words) => words.statements.coming,
    load: async () => (await import('./pages/statements/coming-page.tsx')).ComingPage,
  }),
  page(merchants, '/merchants', 'merchants.read', {
    title: (words) => words.merchants.title,
    load: async () => (await import('./pages/merchants/merchants-page.tsx')).MerchantsPage,
  }),
  page(merchants, '/merchants/:merNo', 'merchants.read', {
    tab: false,
    title: (words) => words.merchants.title,
    load: async () => (await import('./pages/merchants/merchant-page.tsx')).MerchantPage,
  }),
  page(ofMerchant, '/merchant-people/:userId?', 'users.read', {
    title: (words) => words.team.ofMerchant,
    load: async () => (await import('./pages/team/team-page.tsx')).MerchantPeoplePage,
  }),
  page(books, '/books', 'books.read', {
    title: (words) => words.books.trial,
    load: async () => (await import('./pages/books/trial-balance-page.tsx')).TrialBalancePage,
  }),
  page(books, '/books/entries', 'books.read', {
    title: (words) => words.books.entries,
    load: async () => (await import('./pages/books/entries-page.tsx')).EntriesPage,
  }),
  page(books, '/books/check', 'books.read', {
    title: (words) => words.books.verify,
    load: async () => (await import('./pages/books/verify-page.tsx')).VerifyPage,
  }),
  page(books, '/books/settlement', 'settlement.read', {
    title: (words) => words.books.settlement,
    load: async () => (await import('./pages/books/settlement-page.tsx')).SettlementPage,
  }),
  page(operations, '/operations', 'approvals.read', {
    title: (words) => words.operations.title,
    load: async () => (await import('./pages/operations/operations-page.tsx')).OperationsPage,
  }),
  page(operations, '/operations/installation', 'platform.edit', {
    title: (words) => words.operations.doctor,
    load: async () => (await import('./pages/operations/doctor-page.tsx')).DoctorPage,
  }),
  page(operations, '/operations/mail', 'platform.edit', {
    title: (words) => words.operations.mail,
    load: async () => (await import('./pages/operations/mail-page.tsx')).MailPage,
  }),
  page(books, '/books/reconciliation', 'reconciliation.read', {
    title: (words) => words.reconciliation.title,
    load: async () => (await import('./pages/reconciliation/reconciliation-page.tsx')).ReconciliationPage,
  }),
  page(books, '/books/reconciliation/:statementId', 'reconciliation.read', {
    tab: false,
    title: (words) => words.reconciliation.title,
    load: async () => (await import('./pages/reconciliation/statement-page.tsx')).StatementPage,
  }),
  page(books, '/books/reserves/:merNo?', 'settlement.read', {
    title: (words) => words.books.reserves,
    load: async () => (await import('./pages/books/reserves-page.tsx')).ReservesPage,
  }),
  page(merchants, '/fee-plans', 'merchants.read', {
    title: (words) => words.feePlans.title,
    load: async () => (await import('./pages/fee-plans/fee-plans-page.tsx')).FeePlansPage,
  }),
  page(channels, '/channels', 'channels.read', {
    title: (words) => words.channels.title,
    load: async () => (await import('./pages/channels/channels-page.tsx')).ChannelsPage,
  }),
  page(channels, '/channels/rates', 'rates.read', {
    title: (words) => words.channels.rates,
    load: async () => (await import('./pages/channels/rates-page.tsx')).RatesPage,
  }),
  page(channels, '/channels/limits', 'merchants.read', {
    title: (words) => words.channels.limits,
    load: async () => (await import('./pages/channels/limits-page.tsx')).LimitsPage,
  }),
  page(risk, '/risk', 'risk.read', {
    title: (words) => words.risk.hits,
    load: async () => (await import('./pages/risk/hits-page.tsx')).HitsPage,
  }),
  page(risk, '/risk/rules/:ruleId?', 'risk.read', {
    title: (words) => words.risk.rules,
    load: async () => (await import('./pages/risk/rules-page.tsx')).RulesPage,
  }),
  page(risk, '/risk/lists', 'risk.read', {
    title: (words) => words.risk.lists,
    load: async () => (await import('./pages/risk/lists-page.tsx')).ListsPage,
  }),
  page(developers, '/developers/requests/:requestId?', 'developers.read', {
    title: (words) => words.developers.requests,
    load: async () => (await import('./pages/developers/requests-page.tsx')).RequestsPage,
  }),
  page(developers, '/developers/notifications/:notificationId?', 'developers.read', {
    title: (words) => words.developers.notifications,
    load: async () => (await import('./pages/developers/notifications-page.tsx')).NotificationsPage,
  }),
  page(developers, '/developers/keys', 'developers.read', {
    title: (words) => words.developers.keys,
    load: async () => (await import('./pages/developers/keys-page.tsx')).KeysPage,
  }),
  page(developers, '/developers/signature', 'developers.read', {
    title: (words) => words.developers.debugger,
    load: async () => (await import('./pages/developers/signature-page.tsx')).SignaturePage,
  }),
  page(developers, '/developers/exam', 'developers.read', {
    title: (words) => words.exam.title,
    load: async () => (await import('./pages/developers/exam-page.tsx')).ExamPage,
  }),
  page(merchants, '/merchant-requests/:requestId?', 'developers.read', {
    title: (words) => words.developers.requests,
    load: async () => (await import('./pages/developers/requests-page.tsx')).RequestsPage,
  }),
  page(merchants, '/merchant-notifications/:notificationId?', 'developers.read', {
    title: (words) => words.developers.notifications,
    load: async () => (await import('./pages/developers/notifications-page.tsx')).NotificationsPage,
  }),
  page(merchants, '/merchant-keys', 'developers.read', {
    title: (words) => words.developers.keys,
    load: async () => (await import('./pages/developers/keys-page.tsx')).KeysPage,
  }),
  page(merchants, '/merchant-exam', 'developers.read', {
    title: (words) => words.exam.title,
    load: async () => (await import('./pages/developers/exam-page.tsx')).ExamPage,
  }),
  page(merchants, '/merchant-signature', 'developers.read', {
    title: (words) => words.developers.debugger,
    load: async () => (await import('./pages/developers/signature-page.tsx')).SignaturePage,
  }),
  page(links, '/links', 'links.read', {
    title: (words) => words.links.title,
    load: async () => (await import('./pages/links/links-page.tsx')).LinksPage,
  }),
  page(links, '/links/:linkId', 'links.read', {
    tab: false,
    title: (words) => words.links.link,
    load: async () => (await import('./pages/links/link-page.tsx')).LinkPage,
  }),
  page(ofMerchant, '/merchant-links', 'links.read', {
    title: (words) => words.links.title,
    load: async () => (await import('./pages/links/links-page.tsx')).LinksPage,
  }),
  page(ofMerchant, '/merchant-links/:linkId', 'links.read', {
    title: (words) => words.links.link,
    load: async () => (await import('./pages/links/link-page.tsx')).LinkPage,
  }),
  page(ofMerchant, '/merchant-refunds', 'refunds.read', {
    title: (words) => words.orders.refunds,
    load: async () => (await import('./pages/refunds/refunds-page.tsx')).RefundsPage,
  }),
  page(ofMerchant, '/merchant-payouts', 'payouts.read', {
    title: (words) => words.payouts.title,
    load: async () => (await import('./pages/payouts/payouts-page.tsx')).PayoutsPage,
  }),
  page(ofMerchant, '/merchant-statement', 'statements.read', {
    title: (words) => words.statements.title,
    load: async () => (await import('./pages/statements/statement-page.tsx')).StatementPage,
  }),
  page(ofMerchant, '/merchant-exports', 'orders.export', {
    title: (words) => words.exports.title,
    load: async () => (await import('./pages/exports/exports-page.tsx')).ExportsPage,
  }),
  page(settings, '/settings/profile', 'signed-in', {
    title: (words) => words.account.title,
    load: async () => (await import('./pages/account/profile-page.tsx')).ProfilePage,
  }),
  page(settings, '/settings/alerts', 'signed-in', {
    title: (words) => words.account.alerts,
    load: async () => (await import('./pages/account/alerts-page.tsx')).AlertsPage,
  }),
  page(settings, '/settings/company', 'signed-in', {
    only: 'merchant',
    title: (words) => words.company.title,
    load: async () => (await import('./pages/company/company-page.tsx')).CompanyPage,
  }),
  page(settings, '/settings/team/:userId?', 'users.read', {
    title: (words) => words.team.title,
    load: async () => (await import('./pages/team/team-page.tsx')).TeamPage,
  }),
  page(settings, '/settings/roles', 'users.read', {
    title: (words) => words.team.roles,
    load: async () => (await import('./pages/team/roles-page.tsx')).RolesPage,
  }),
  page(settings, '/settings/reference', 'merchants.read', {
    only: 'operator',
    title: (words) => words.reference.title,
    load: async () => (await import('./pages/reference/reference-page.tsx')).ReferencePage,
  }),
  page(settings, '/settings/audit/:entryId?', 'audit.read', {
    title: (words) => words.audit.title,
    load: async () => (await import('./pages/audit/audit-page.tsx')).AuditPage,
  }),
]

function page(
  shared: Pick<Page, 'entry' | 'only' | 'tab'>,
  path: string,
  needs: Page['needs'],
  own: Pick<Page, 'title' | 'load' | 'only' | 'tab'>,
): Page {
  return { ...shared, path, needs, ...own }
}
