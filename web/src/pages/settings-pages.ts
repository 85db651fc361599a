// The pages under Settings: of the person, the company and its people, and for operators the reference data.
import type { Page } from '../pages.ts'

export const settingsPages: readonly Page[] = [
  {
    entry: 'settings',
    path: '/settings/profile',
    title: ({ account }) => account.title,
    needs: 'signed-in',
    load: async () => (await import('./account/profile-page.tsx')).ProfilePage,
  },
  {
    entry: 'settings',
    path: '/settings/alerts',
    title: ({ account }) => account.alerts,
    needs: 'signed-in',
    load: async () => (await import('./account/alerts-page.tsx')).AlertsPage,
  },
  {
    entry: 'settings',
    path: '/settings/company',
    title: ({ company }) => company.title,
    needs: 'signed-in',
    only: 'merchant',
    load: async () => (await import('./company/company-page.tsx')).CompanyPage,
  },
  {
    entry: 'settings',
    path: '/settings/team/:userId?',
    title: ({ team }) => team.title,
    needs: 'users.read',
    load: async () => (await import('./team/team-page.tsx')).TeamPage,
  },
  {
    entry: 'settings',
    path: '/settings/roles',
    title: ({ team }) => team.roles,
    needs: 'users.read',
    load: async () => (await import('./team/roles-page.tsx')).RolesPage,
  },
  {
    entry: 'settings',
    path: '/settings/reference',
    title: ({ reference }) => reference.title,
    needs: 'merchants.read',
    only: 'operator',
    load: async () => (await import('./reference/reference-page.tsx')).ReferencePage,
  },
  {
    entry: 'settings',
    path: '/settings/audit/:entryId?',
    title: ({ audit }) => audit.title,
    needs: 'audit.read',
    load: async () => (await import('./audit/audit-page.tsx')).AuditPage,
  },
]
