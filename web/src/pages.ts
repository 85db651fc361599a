// The pages of the web app. The navigation, the tabs, the shortcuts and the search are made from this table. The
// component of a page is loaded when the page is first opened.
import type { Page } from './shell/page.ts'
import { accountWords } from './words/account.ts'
import { auditWords } from './words/audit.ts'
import { booksWords } from './words/books.ts'
import { bulkRefundsWords } from './words/bulk-refunds.ts'
import { casesWords } from './words/cases.ts'
import { channelsWords } from './words/channels.ts'
import { companyWords } from './words/company.ts'
import { decideWords } from './words/decide.ts'
import { developersWords } from './words/developers.ts'
import { examWords } from './words/exam.ts'
import { exportsWords } from './words/exports.ts'
import { feePlansWords } from './words/fee-plans.ts'
import { linksWords } from './words/links.ts'
import { merchantsWords } from './words/merchants.ts'
import { operationsWords } from './words/operations.ts'
import { ordersWords } from './words/orders.ts'
import { overviewWords } from './words/overview.ts'
import { payoutsWords } from './words/payouts.ts'
import { queuesWords } from './words/queues.ts'
import { reconciliationWords } from './words/reconciliation.ts'
import { referenceWords } from './words/reference.ts'
import { riskWords } from './words/risk.ts'
import { statementsWords } from './words/statements.ts'
import { teamWords } from './words/team.ts'

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

/** All pages in order. An entry of the navigation opens its first page in this list. */
export const pages: readonly Page[] = [
  page(overview, '/overview', 'overview.read', {
    title: (language) => overviewWords[language].title,
    load: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage,
  }),
  page(orders, '/orders/:tradeNo?', 'orders.read', {
    title: (language) => ordersWords[language].title,
    load: async () => (await import('./pages/orders/orders-page.tsx')).OrdersPage,
  }),
  page(orders, '/order/:tradeNo', 'orders.read', {
    tab: false,
    title: (language) => ordersWords[language].page,
    load: async () => (await import('./pages/orders/order-page.tsx')).OrderPage,
  }),
  page(orders, '/customers/:by/:tradeNo', 'orders.read', {
    tab: false,
    title: (language) => ordersWords[language].customer,
    load: async () => (await import('./pages/orders/customer-page.tsx')).CustomerPage,
  }),
  page(orders, '/refunds', 'refunds.read', {
    only: 'merchant',
    title: (language) => ordersWords[language].refunds,
    load: async () => (await import('./pages/refunds/refunds-page.tsx')).RefundsPage,
  }),
  page(orders, '/bulk-refunds/:bulkId?', 'refunds.create', {
    only: 'merchant',
    title: (language) => bulkRefundsWords[language].title,
    load: async () => (await import('./pages/bulk-refunds/bulk-refunds-page.tsx')).BulkRefundsPage,
  }),
  page(orders, '/merchant-bulk-refunds/:bulkId?', 'refunds.create', {
    only: 'operator',
    tab: false,
    title: (language) => bulkRefundsWords[language].title,
    load: async () => (await import('./pages/bulk-refunds/bulk-refunds-page.tsx')).BulkRefundsPage,
  }),
  page(orders, '/exports', 'orders.export', {
    only: 'merchant',
    title: (language) => exportsWords[language].title,
    load: async () => (await import('./pages/exports/exports-page.tsx')).ExportsPage,
  }),
  page(orders, '/merchant-refunds', 'refunds.read', {
    only: 'operator',
    title: (language) => ordersWords[language].refunds,
    load: async () => (await import('./pages/refunds/refunds-page.tsx')).RefundsPage,
  }),
  page(orders, '/merchant-exports', 'orders.export', {
    only: 'operator',
    title: (language) => exportsWords[language].title,
    load: async () => (await import('./pages/exports/exports-page.tsx')).ExportsPage,
  }),
  page(queues, '/queues', 'approvals.read', {
    title: (language) => queuesWords[language].title,
    load: async () => (await import('./pages/queues/queues-page.tsx')).QueuesPage,
  }),
  page(queues, '/queues/approvals', 'approvals.read', {
    title: (language) => decideWords[language].approvals,
    load: async () => (await import('./pages/queues/approvals-page.tsx')).ApprovalsPage,
  }),
  page(queues, '/queues/outcomes', 'outcomes.read', {
    title: (language) => decideWords[language].outcomes,
    load: async () => (await import('./pages/queues/outcomes-page.tsx')).OutcomesPage,
  }),
  page(queues, '/queues/refunds', 'approvals.read', {
    title: (language) => decideWords[language].refunds,
    load: async () => (await import('./pages/queues/waiting-refunds-page.tsx')).WaitingRefundsPage,
  }),
  page(queues, '/queues/payouts', 'approvals.read', {
    title: (language) => decideWords[language].payouts,
    load: async () => (await import('./pages/queues/waiting-payouts-page.tsx')).WaitingPayoutsPage,
  }),
  page(queues, '/queues/suspense', 'suspense.read', {
    title: (language) => decideWords[language].suspense,
    load: async () => (await import('./pages/queues/suspense-page.tsx')).SuspensePage,
  }),
  page(queues, '/queues/deliveries', 'approvals.read', {
    title: (language) => queuesWords[language].deliveries,
    load: async () => (await import('./pages/queues/deliveries-page.tsx')).DeliveriesPage,
  }),
  page(queues, '/queues/reviews/:tradeNo?', 'reviews.read', {
    title: (language) => casesWords[language].reviews,
    load: async () => (await import('./pages/reviews/reviews-page.tsx')).ReviewsPage,
  }),
  page(queues, '/queues/disputes/:tradeNo?', 'disputes.read', {
    title: (language) => casesWords[language].disputes,
    load: async () => (await import('./pages/disputes/disputes-page.tsx')).DisputesPage,
  }),
  page(payouts, '/payouts', 'payouts.read', {
    title: (language) => payoutsWords[language].title,
    load: async () => (await import('./pages/payouts/payouts-page.tsx')).PayoutsPage,
  }),
  page(payouts, '/payouts/new', 'payouts.create', {
    title: (language) => payoutsWords[language].make,
    load: async () => (await import('./pages/payouts/new-payout-page.tsx')).NewPayoutPage,
  }),
  page(payouts, '/payouts/runs/:runId?', 'payouts.read', {
    title: (language) => payoutsWords[language].runs,
    load: async () => (await import('./pages/payouts/runs-page.tsx')).RunsPage,
  }),
  page(payouts, '/payouts/beneficiaries', 'payouts.read', {
    title: (language) => payoutsWords[language].beneficiaries,
    load: async () => (await import('./pages/payouts/beneficiaries-page.tsx')).BeneficiariesPage,
  }),
  page(payouts, '/payouts/approvals', 'payouts.read', {
    title: (language) => payoutsWords[language].approvals,
    load: async () => (await import('./pages/payouts/payout-approvals-page.tsx')).PayoutApprovalsPage,
  }),
  page(disputes, '/disputes/cases/:tradeNo?', 'disputes.read', {
    title: (language) => casesWords[language].disputes,
    load: async () => (await import('./pages/disputes/disputes-page.tsx')).DisputesPage,
  }),
  page(disputes, '/disputes/reviews/:tradeNo?', 'reviews.read', {
    title: (language) => casesWords[language].reviews,
    load: async () => (await import('./pages/reviews/reviews-page.tsx')).ReviewsPage,
  }),
  page(statements, '/statements', 'statements.read', {
    title: (language) => statementsWords[language].title,
    load: async () => (await import('./pages/statements/statement-page.tsx')).StatementPage,
  }),
  page(statements, '/statements/fees', 'statements.read', {
    title: (language) => statementsWords[language].fees,
    load: async () => (await import('./pages/statements/fees-page.tsx')).FeesPage,
  }),
  page(statements, '/statements/coming', 'statements.read', {
    title: (language) => statementsWords[language].coming,
    load: async () => (await import('./pages/statements/coming-page.tsx')).ComingPage,
  }),
  page(merchants, '/merchants', 'merchants.read', {
    title: (language) => merchantsWords[language].title,
    load: async () => (await import('./pages/merchants/merchants-page.tsx')).MerchantsPage,
  }),
  page(merchants, '/merchants/:merNo', 'merchants.read', {
    tab: false,
    title: (language) => merchantsWords[language].title,
    load: async () => (await import('./pages/merchants/merchant-page.tsx')).MerchantPage,
  }),
  page(ofMerchant, '/merchant-people/:userId?', 'users.read', {
    title: (language) => teamWords[language].ofMerchant,
    load: async () => (await import('./pages/team/team-page.tsx')).MerchantPeoplePage,
  }),
  page(books, '/books', 'books.read', {
    title: (language) => booksWords[language].trial,
    load: async () => (await import('./pages/books/trial-balance-page.tsx')).TrialBalancePage,
  }),
  page(books, '/books/entries', 'books.read', {
    title: (language) => booksWords[language].entries,
    load: async () => (await import('./pages/books/entries-page.tsx')).EntriesPage,
  }),
  page(books, '/books/check', 'books.read', {
    title: (language) => booksWords[language].verify,
    load: async () => (await import('./pages/books/verify-page.tsx')).VerifyPage,
  }),
  page(books, '/books/settlement', 'settlement.read', {
    title: (language) => booksWords[language].settlement,
    load: async () => (await import('./pages/books/settlement-page.tsx')).SettlementPage,
  }),
  page(operations, '/operations', 'approvals.read', {
    title: (language) => operationsWords[language].title,
    load: async () => (await import('./pages/operations/operations-page.tsx')).OperationsPage,
  }),
  page(operations, '/operations/installation', 'platform.edit', {
    title: (language) => operationsWords[language].doctor,
    load: async () => (await import('./pages/operations/doctor-page.tsx')).DoctorPage,
  }),
  page(operations, '/operations/mail', 'platform.edit', {
    title: (language) => operationsWords[language].mail,
    load: async () => (await import('./pages/operations/mail-page.tsx')).MailPage,
  }),
  page(books, '/books/reconciliation', 'reconciliation.read', {
    title: (language) => reconciliationWords[language].title,
    load: async () => (await import('./pages/reconciliation/reconciliation-page.tsx')).ReconciliationPage,
  }),
  page(books, '/books/reconciliation/:statementId', 'reconciliation.read', {
    tab: false,
    title: (language) => reconciliationWords[language].title,
    load: async () => (await import('./pages/reconciliation/statement-page.tsx')).StatementPage,
  }),
  page(books, '/books/reserves/:merNo?', 'settlement.read', {
    title: (language) => booksWords[language].reserves,
    load: async () => (await import('./pages/books/reserves-page.tsx')).ReservesPage,
  }),
  page(merchants, '/fee-plans', 'merchants.read', {
    title: (language) => feePlansWords[language].title,
    load: async () => (await import('./pages/fee-plans/fee-plans-page.tsx')).FeePlansPage,
  }),
  page(channels, '/channels', 'channels.read', {
    title: (language) => channelsWords[language].title,
    load: async () => (await import('./pages/channels/channels-page.tsx')).ChannelsPage,
  }),
  page(channels, '/channels/rates', 'rates.read', {
    title: (language) => channelsWords[language].rates,
    load: async () => (await import('./pages/channels/rates-page.tsx')).RatesPage,
  }),
  page(channels, '/channels/limits', 'merchants.read', {
    title: (language) => channelsWords[language].limits,
    load: async () => (await import('./pages/channels/limits-page.tsx')).LimitsPage,
  }),
  page(risk, '/risk', 'risk.read', {
    title: (language) => riskWords[language].hits,
    load: async () => (await import('./pages/risk/hits-page.tsx')).HitsPage,
  }),
  page(risk, '/risk/rules/:ruleId?', 'risk.read', {
    title: (language) => riskWords[language].rules,
    load: async () => (await import('./pages/risk/rules-page.tsx')).RulesPage,
  }),
  page(risk, '/risk/lists', 'risk.read', {
    title: (language) => riskWords[language].lists,
    load: async () => (await import('./pages/risk/lists-page.tsx')).ListsPage,
  }),
  page(developers, '/developers/requests/:requestId?', 'developers.read', {
    title: (language) => developersWords[language].requests,
    load: async () => (await import('./pages/developers/requests-page.tsx')).RequestsPage,
  }),
  page(developers, '/developers/notifications/:notificationId?', 'developers.read', {
    title: (language) => developersWords[language].notifications,
    load: async () => (await import('./pages/developers/notifications-page.tsx')).NotificationsPage,
  }),
  page(developers, '/developers/keys', 'developers.read', {
    title: (language) => developersWords[language].keys,
    load: async () => (await import('./pages/developers/keys-page.tsx')).KeysPage,
  }),
  page(developers, '/developers/signature', 'developers.read', {
    title: (language) => developersWords[language].debugger,
    load: async () => (await import('./pages/developers/signature-page.tsx')).SignaturePage,
  }),
  page(developers, '/developers/exam', 'developers.read', {
    title: (language) => examWords[language].title,
    load: async () => (await import('./pages/developers/exam-page.tsx')).ExamPage,
  }),
  page(merchants, '/merchant-requests/:requestId?', 'developers.read', {
    title: (language) => developersWords[language].requests,
    load: async () => (await import('./pages/developers/requests-page.tsx')).RequestsPage,
  }),
  page(merchants, '/merchant-notifications/:notificationId?', 'developers.read', {
    title: (language) => developersWords[language].notifications,
    load: async () => (await import('./pages/developers/notifications-page.tsx')).NotificationsPage,
  }),
  page(merchants, '/merchant-keys', 'developers.read', {
    title: (language) => developersWords[language].keys,
    load: async () => (await import('./pages/developers/keys-page.tsx')).KeysPage,
  }),
  page(merchants, '/merchant-exam', 'developers.read', {
    title: (language) => examWords[language].title,
    load: async () => (await import('./pages/developers/exam-page.tsx')).ExamPage,
  }),
  page(merchants, '/merchant-signature', 'developers.read', {
    title: (language) => developersWords[language].debugger,
    load: async () => (await import('./pages/developers/signature-page.tsx')).SignaturePage,
  }),
  page(links, '/links', 'links.read', {
    title: (language) => linksWords[language].title,
    load: async () => (await import('./pages/links/links-page.tsx')).LinksPage,
  }),
  page(links, '/links/:linkId', 'links.read', {
    tab: false,
    title: (language) => linksWords[language].link,
    load: async () => (await import('./pages/links/link-page.tsx')).LinkPage,
  }),
  page(ofMerchant, '/merchant-links', 'links.read', {
    title: (language) => linksWords[language].title,
    load: async () => (await import('./pages/links/links-page.tsx')).LinksPage,
  }),
  page(ofMerchant, '/merchant-links/:linkId', 'links.read', {
    title: (language) => linksWords[language].link,
    load: async () => (await import('./pages/links/link-page.tsx')).LinkPage,
  }),
  page(ofMerchant, '/merchant-payouts', 'payouts.read', {
    title: (language) => payoutsWords[language].title,
    load: async () => (await import('./pages/payouts/payouts-page.tsx')).PayoutsPage,
  }),
  page(ofMerchant, '/merchant-statement', 'statements.read', {
    title: (language) => statementsWords[language].title,
    load: async () => (await import('./pages/statements/statement-page.tsx')).StatementPage,
  }),
  page(settings, '/settings/profile', 'signed-in', {
    title: (language) => accountWords[language].title,
    load: async () => (await import('./pages/account/profile-page.tsx')).ProfilePage,
  }),
  page(settings, '/settings/alerts', 'signed-in', {
    title: (language) => accountWords[language].alerts,
    load: async () => (await import('./pages/account/alerts-page.tsx')).AlertsPage,
  }),
  page(settings, '/settings/company', 'signed-in', {
    only: 'merchant',
    title: (language) => companyWords[language].title,
    load: async () => (await import('./pages/company/company-page.tsx')).CompanyPage,
  }),
  page(settings, '/settings/team/:userId?', 'users.read', {
    title: (language) => teamWords[language].title,
    load: async () => (await import('./pages/team/team-page.tsx')).TeamPage,
  }),
  page(settings, '/settings/roles', 'users.read', {
    title: (language) => teamWords[language].roles,
    load: async () => (await import('./pages/team/roles-page.tsx')).RolesPage,
  }),
  page(settings, '/settings/reference', 'merchants.read', {
    only: 'operator',
    title: (language) => referenceWords[language].title,
    load: async () => (await import('./pages/reference/reference-page.tsx')).ReferencePage,
  }),
  page(settings, '/settings/audit/:entryId?', 'audit.read', {
    title: (language) => auditWords[language].title,
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
