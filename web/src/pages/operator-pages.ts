// The pages of operators about reconciliation.
import type { Page } from '../pages.ts'

export const operatorPages: readonly Page[] = [
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
]
