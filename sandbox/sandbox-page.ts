// The layout of the sandbox's pages.
import { type Html, renderPage } from '../src/pages/page.ts'

export type SandboxPage = { readonly title: string; readonly order?: Html; readonly step: Html }

export const ASSETS_PATH = '/assets'

export function sandboxPage(page: SandboxPage): string {
  return renderPage({ sandbox: true, assets: ASSETS_PATH, ...page })
}
