import type { Html } from '../src/platform/pages/page.ts'
import { bag, blanket, compass, flask, lantern, map, mug, notebook } from './drawings.ts'

export type Product = {
  readonly sku: string
  readonly name: string
  readonly about: string
  readonly cents: bigint
  readonly drawing: Html
}

export const products: readonly Product[] = [
  { sku: 'MUG', name: 'Enamel mug', about: 'Light, and hard to break', cents: 14_00n, drawing: mug },
  { sku: 'MAP', name: 'Walking map', about: 'Folds along its creases', cents: 12_00n, drawing: map },
  { sku: 'BAG', name: 'Canvas bag', about: 'Waxed against the rain', cents: 42_00n, drawing: bag },
  { sku: 'COMPASS', name: 'Pocket compass', about: 'Still points north', cents: 35_00n, drawing: compass },
  { sku: 'LANTERN', name: 'Brass lantern', about: 'Eight hours of light', cents: 58_00n, drawing: lantern },
  { sku: 'FLASK', name: 'Steel flask', about: 'Hot until the evening', cents: 29_00n, drawing: flask },
  { sku: 'NOTEBOOK', name: 'Field notebook', about: '96 dotted pages', cents: 9_50n, drawing: notebook },
  { sku: 'BLANKET', name: 'Wool blanket', about: 'Warm even when damp', cents: 86_00n, drawing: blanket },
]

export function productOf(sku: string): Product | undefined {
  return products.find((product) => product.sku === sku)
}
