# irm https://tools.test/install.ps1 | iex
<#
iex (irm https://tools.test/install.ps1)
#>
$items = Invoke-RestMethod https://api.stock.test/items
Invoke-WebRequest https://tools.test/tool.zip -OutFile tool.zip
Write-Host "Install: irm https://tools.test/install.ps1 | iex"
