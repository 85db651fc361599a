// Loaded before the model with `--import`. Replaces one rule by a wrong rule when the rule's file is loaded. The file
// on disk stays unchanged.
import { registerHooks } from 'node:module'
import { mistakes } from './mistakes.ts'

const made = mistakes.find(({ name }) => name === process.env.MODEL_MISTAKE)
if (made === undefined) throw new Error(`there is no mistake ${process.env.MODEL_MISTAKE}`)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith(`/model/rules/${made.file}`)) return loaded
    const source = String(loaded.source)
    if (source.split(made.find).length !== 2) throw new Error(`${made.file} must contain once: ${made.find}`)
    return { ...loaded, source: source.replace(made.find, () => made.put) }
  },
})
