{ Methods, exceptions, nested procedures, strings and interfaces, which Free Pascal compiles without call frame information
  and, with -O2, without frame pointers. }
program objects;
{$mode objfpc}{$H+}

uses sysutils, classes;

type
  TShape = class
    function Area: double; virtual; abstract;
    function Describe: string; virtual;
  end;
  TSquare = class(TShape)
    Side: double;
    constructor Create(ASide: double);
    function Area: double; override;
  end;
  TCircle = class(TShape)
    function Area: double; override;
    function Describe: string; override;
  end;

function TShape.Describe: string;
begin
  Describe := ClassName + ' ' + FloatToStrF(Area, ffFixed, 8, 2);
end;

constructor TSquare.Create(ASide: double);
begin
  Side := ASide;
end;

function TSquare.Area: double;
begin
  Area := Side * Side;
end;

function TCircle.Area: double;
begin
  Area := 3.14159;
end;

function TCircle.Describe: string;
begin
  Describe := UpperCase(inherited Describe);
end;

function Fibonacci(n: longint): longint;
begin
  if n < 2 then
    exit(n);
  Fibonacci := Fibonacci(n - 1) + Fibonacci(n - 2);
end;

function Risky(n: longint): longint;
begin
  if n mod 3 = 0 then
    raise Exception.Create('three ' + IntToStr(n));
  Risky := n * 2;
end;

function Nested(n: longint): longint;
var
  total: longint;

  procedure Add(i: longint);
  begin
    total := total + i;
    if i > 0 then
      Add(i - 1);
  end;

begin
  total := 0;
  Add(n);
  Nested := total;
end;

var
  list: TStringList;
  shapes: array of TShape;
  i, caught: longint;
begin
  list := TStringList.Create;
  for i := 1 to 40 do
    list.Add(IntToStr(i * 7919 mod 1009));
  list.Sort;
  SetLength(shapes, 2);
  shapes[0] := TSquare.Create(3);
  shapes[1] := TCircle.Create;
  for i := 0 to high(shapes) do
    list.Add(shapes[i].Describe);
  caught := 0;
  for i := 1 to 9 do
    try
      caught := caught + Risky(i);
    except
      on e: Exception do
        caught := caught + length(e.message);
    end;
  writeln(list.CommaText, ' ', Fibonacci(10), ' ', Nested(12), ' ', caught);
end.
