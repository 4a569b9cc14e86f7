/** The borders of the house (ARCHITECTURE.md): who may import whom. */
const gw = '^packages/gateway/src';
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'domain-imports-nobody', severity: 'error', from: { path: `${gw}/domain/` }, to: { pathNot: `${gw}/domain/` } },
    {
      name: 'carriers-see-domain-and-protocols',
      severity: 'error',
      from: { path: `${gw}/carriers/` },
      to: { path: `${gw}/(store|flow|http|cli)/` },
    },
    { name: 'store-sees-only-domain', severity: 'error', from: { path: `${gw}/store/` }, to: { path: `${gw}/(flow|http|carriers|cli)/` } },
    {
      name: 'flow-sees-seams-and-domain',
      severity: 'error',
      from: { path: `${gw}/flow/`, pathNot: '\\.test\\.ts$' },
      to: { path: `${gw}/(http|cli|store/(?!store\\.ts)|carriers/(?!carrier\\.ts))` },
    },
    { name: 'http-never-opens-a-carrier-or-engine', severity: 'error', from: { path: `${gw}/http/`, pathNot: '\\.test\\.ts$' }, to: { path: `${gw}/(store/(?!store\\.ts)|carriers/(?!carrier\\.ts)|cli/)` } },
    { name: 'protocol-packages-import-nobody', severity: 'error', from: { path: '^packages/(text|smpp)/src', pathNot: '\\.test\\.ts$' }, to: { path: '^packages/', pathNot: '^packages/(text|smpp)/src' } },
    { name: 'text-and-smpp-are-strangers', severity: 'error', from: { path: '^packages/text/src' }, to: { path: '^packages/smpp' } },
    { name: 'smpp-and-text-are-strangers', severity: 'error', from: { path: '^packages/smpp/src' }, to: { path: '^packages/text' } },
    { name: 'no-unlisted-package', severity: 'error', from: { pathNot: '\\.test\\.ts$' }, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
