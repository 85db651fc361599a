// The table of contents. A new page is a markdown file and one line here; a test complains about a line without a file. The
// pages of the endpoints follow after these sections and are made from the tables of the interface.

export type ListedPage = {
  /** Behind /docs/. */
  readonly path: string
  /** In the repository. */
  readonly file: string
}

export type ListedSection = { readonly title: string; readonly pages: readonly ListedPage[] }

export const sections: readonly ListedSection[] = [
  {
    title: 'Start',
    pages: [document('signing', 'docs/signing.md'), document('sdk', 'sdk/README.md')],
  },
  {
    title: 'The payer',
    pages: [document('payer-pages', 'docs/payer-pages.md')],
  },
  {
    title: 'After the payment',
    pages: [document('notifications', 'docs/notifications.md')],
  },
  {
    title: 'Reference',
    pages: [document('errors', 'docs/errors.md'), document('states', 'docs/states.md')],
  },
]

function document(path: string, file: string): ListedPage {
  return { path, file }
}
