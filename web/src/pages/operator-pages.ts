// The pages of operators about the whole platform: overview, installation, fee plans, reserves, reconciliation.
import type { Page } from '../pages.ts'

export const operatorPages: readonly Page[] = [
  {
    entry: 'overview',
    path: '/operations',
    title: ({ operations }) => operations.title,
    needs: 'approvals.read',
    only: 'operator',
    load: async () => (await import('./operations/operations-page.tsx')).OperationsPage,
  },
  {
    entry: 'overview',
    path: '/operations/installation',
    title: ({ operations }) => operations.doctor,
    needs: 'platform.edit',
    only: 'operator',
    load: async () => (await import('./operations/doctor-page.tsx')).DoctorPage,
  },
  {
    entry: 'overview',
    path: '/operations/mail',
    title: ({ operations }) => operations.mail,
    needs: 'platform.edit',
    only: 'operator',
    load: async () => (await import('./operations/mail-page.tsx')).MailPage,
  },
  {
    entry: 'books',
    path: '/books/reconciliation',
    title: ({ reconciliation }) => reconciliation.title,
    needs: 'reconciliation.read',
    only: 'operator',
    load: async () => (await import('./reconciliation/reconciliation-page.tsx')).ReconciliationPage,
  },
  {
    entry: 'books',
    path: '/books/reconciliation/:statementId',
    title: ({ reconciliation }) => reconciliation.title,
    needs: 'reconciliation.read',
    only: 'operator',
    tab: false,
    load: async () => (await import('./reconciliation/statement-page.tsx')).StatementPage,
  },
  {
    entry: 'books',
    path: '/books/reserves/:merNo?',
    title: ({ books }) => books.reserves,
    needs: 'settlement.read',
    only: 'operator',
    load: async () => (await import('./books/reserves-page.tsx')).ReservesPage,
  },
  {
    entry: 'merchants',
    path: '/fee-plans',
    title: ({ feePlans }) => feePlans.title,
    needs: 'merchants.read',
    only: 'operator',
    load: async () => (await import('./fee-plans/fee-plans-page.tsx')).FeePlansPage,
  },
]
