// `node test/write-pictures.ts [name…]`: copies the pictures that the documents show, or the named ones, from
// test/screenshots/, where the browser tests saved them. Wide pictures are scaled down, and long ones are cut at the
// end.
import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchChromium } from './harness/chromium.ts'

const documents = globSync('docs/**/*.md', { cwd: fileURLToPath(new URL('..', import.meta.url)) })
const pictures = documents.flatMap((path) =>
  [
    ...readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').matchAll(
      /\((?:\.\.\/)?pictures\/([\w-]+)\.png\)/g,
    ),
  ].map(([, name = '']) => name),
)
const named = process.argv.slice(2)

const WIDEST = 900
const LONGEST = 900
const MOST_BYTES = 200_000
const from = new URL('screenshots/', import.meta.url)
const to = new URL('../docs/pictures/', import.meta.url)

mkdirSync(to, { recursive: true })
const browser = await launchChromium()
const page = await browser.newPage()
for (const name of named.length > 0 ? named : pictures) {
  const source = readFileSync(new URL(`${name}.png`, from)).toString('base64')
  await page.setContent(
    `<body style="margin:0"><figure style="display:inline-block;margin:0;max-height:${LONGEST}px;overflow:hidden"><img style="display:block;max-width:${WIDEST}px" src="data:image/png;base64,${source}"></figure>`,
  )
  const path = fileURLToPath(new URL(`${name}.png`, to))
  await page.locator('figure').screenshot({ path })
  const { size } = statSync(path)
  console.log(`${name}.png: ${size} bytes${size > MOST_BYTES ? ', too many' : ''}`)
}
await browser.close()
