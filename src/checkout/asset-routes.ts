// Serves the style sheets and scripts of the pages, and the script that shops include. Only scripts in the manifest are served.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accentCss } from '../pages/accent.ts'
import { loadAsset } from '../pages/asset.ts'
import { scriptManifest } from '../pages/manifest.ts'

const DAY_S = 86_400

/** Every site may include it, also with an integrity hash or under an embedder policy. Messages of a version stay the same, so
 *  an old copy works with new pages. */
const forShops = {
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

export function registerAssets(scope: FastifyInstance): void {
  const style = loadAsset('pay', 'css')
  scope.get('/assets/pay.css', (_request, reply) => style(reply))
  const dropIn = loadAsset('drop-in', 'js', forShops)
  scope.get('/drop-in.js', (_request, reply) => dropIn(reply))
  for (const file of Object.keys(scriptManifest())) {
    if (file === 'drop-in.js') continue
    const script = loadAsset(file.replace(/\.js$/, ''), 'js')
    scope.get(`/assets/${file}`, (_request, reply) => script(reply))
  }
  scope.get('/assets/accent/:file', sendAccent)
}

type AccentRequest = FastifyRequest<{ Params: { file: string } }>

/** The style sheet depends only on the colour in the address, so it needs no merchant and no secret. */
async function sendAccent(request: AccentRequest, reply: FastifyReply) {
  const [, hex] = /^([0-9a-f]{6})\.css$/.exec(request.params.file) ?? []
  if (hex === undefined) return reply.code(404).type('text/plain').send('no such colour')
  return reply
    .header('cache-control', `public, max-age=${DAY_S}`)
    .type('text/css; charset=utf-8')
    .send(accentCss(hex))
}
